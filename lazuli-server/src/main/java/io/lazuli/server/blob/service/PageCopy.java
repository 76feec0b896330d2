package io.lazuli.server.blob.service;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.sparse.CopiedExtent;
import io.lazuli.server.blob.sparse.CopiedPagesBody;
import io.lazuli.server.blob.sparse.PageMap;
import io.lazuli.server.blob.transaction.BlockList;
import io.lazuli.server.blob.transaction.SegmentsBody;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Copies the written pages of a page blob to a new version in another partition, a few extents at a
 * time. Pages in records become one record for each extent; chunks are copied by the store.
 * Mutable, used once.
 */
final class PageCopy {
  private static final Duration STEP_TIME_MAX = Duration.ofSeconds(30);

  private final BlobPartitions partitions;
  private final ChunkStore chunks;
  private final BlobRecords source;
  private final PageMap pages;
  private final Partition target;

  /** The copies of the chunks that the next extents may refer to. */
  private final Map<Long, Long> copiedChunks = new HashMap<>();

  private long next;

  PageCopy(
      BlobPartitions partitions,
      ChunkStore chunks,
      BlobRecords source,
      PageMap pages,
      Partition target) {
    this.partitions = partitions;
    this.chunks = chunks;
    this.source = source;
    this.pages = pages;
    this.target = target;
  }

  /** Returns the version of the copy. Its chunks belong to the version, even if the copy fails. */
  CompletableFuture<Long> run(long length) {
    // An empty block list marks the version as taken.
    BlockList.Segment mark = new BlockList.Segment(0, List.of());
    return partitions
        .run(target, deadline(), new SegmentsBody(0, List.of(mark)))
        .thenCompose(
            version ->
                Futures.repeat(() -> copyNext(version, length)).thenApply(copied -> version));
  }

  private CompletableFuture<Boolean> copyNext(long version, long length) {
    Map<Long, PageExtent> extents = new HashMap<>();
    long end = PageExtent.endOf(length / BlobLimits.PAGE_BYTES);
    long[] last = {end};
    return pages
        .visit(
            next,
            end,
            (extent, older, found) -> {
              if (extents.size() == CopiedPagesBody.EXTENTS_MAX) {
                last[0] = extent;
                return false;
              }
              extents.put(extent, found);
              return true;
            })
        .thenCompose(visited -> copy(version, extents))
        .thenApply(
            copied -> {
              next = last[0];
              return next < end;
            });
  }

  private CompletableFuture<Boolean> copy(long version, Map<Long, PageExtent> extents) {
    Set<Long> used = new HashSet<>();
    extents.values().forEach(extent -> extent.runs().forEach(run -> addChunk(run, used)));
    copiedChunks.keySet().retainAll(used);
    List<CopiedExtent> copied = new ArrayList<>();
    Iterator<Map.Entry<Long, PageExtent>> left =
        extents.entrySet().stream().filter(extent -> !extent.getValue().isEmpty()).iterator();
    return copyChunks(used)
        .thenCompose(
            done ->
                Futures.repeat(
                    () -> {
                      if (!left.hasNext()) {
                        return CompletableFuture.completedFuture(false);
                      }
                      Map.Entry<Long, PageExtent> extent = left.next();
                      return copied(extent.getKey(), extent.getValue()).thenApply(copied::add);
                    }))
        .thenCompose(
            done -> {
              CopiedPagesBody body =
                  new CopiedPagesBody(version, copied, Set.copyOf(copiedChunks.values()));
              return copied.isEmpty()
                  ? CompletableFuture.completedFuture(true)
                  : partitions.run(target, deadline(), body);
            })
        .thenApply(
            written -> {
              if (!written) {
                throw CommonErrors.OPERATION_TIMED_OUT.exception();
              }
              return true;
            });
  }

  private static void addChunk(PageRun run, Set<Long> used) {
    if (run.place().inChunk()) {
      used.add(run.place().number());
    }
  }

  private CompletableFuture<Boolean> copyChunks(Set<Long> used) {
    List<Long> fresh = used.stream().filter(chunk -> !copiedChunks.containsKey(chunk)).toList();
    int[] at = new int[1];
    return Futures.repeat(
            () ->
                at[0] == fresh.size()
                    ? CompletableFuture.completedFuture(false)
                    : copyChunk(fresh.get(at[0]++)).thenApply(copied -> true))
        .thenApply(done -> true);
  }

  private CompletableFuture<Boolean> copyChunk(long chunk) {
    return chunks
        .copy(new ChunkRef(chunk), target)
        .thenApply(
            made -> {
              if (made == null) {
                throw new StorageException(
                    StorageException.Kind.CORRUPT, "content of a blob is missing");
              }
              copiedChunks.put(chunk, made.number());
              return true;
            });
  }

  /** Returns the copy of an extent, whose pages in records are together in one array. */
  private CompletableFuture<CopiedExtent> copied(long extent, PageExtent found) {
    List<PageRun> inRecords = found.runs().stream().filter(run -> !run.place().inChunk()).toList();
    return Futures.all(inRecords.stream().map(this::bytes).toList())
        .thenApply(
            records -> {
              int pages = inRecords.stream().mapToInt(PageRun::pages).sum();
              byte[] bytes = new byte[pages * BlobLimits.PAGE_BYTES];
              List<PageRun> runs = new ArrayList<>();
              int at = 0;
              int record = 0;
              for (PageRun run : found.runs()) {
                if (run.place().inChunk()) {
                  long chunk = copiedChunks.getOrDefault(run.place().number(), 0L);
                  runs.add(placed(run, new BlockPlace(true, chunk), run.placePage()));
                } else {
                  runs.add(placed(run, run.place(), at));
                  byte[] part = records.get(record++);
                  System.arraycopy(part, 0, bytes, at * BlobLimits.PAGE_BYTES, part.length);
                  at += run.pages();
                }
              }
              return new CopiedExtent(extent, new PageExtent(runs), bytes);
            });
  }

  private CompletableFuture<byte[]> bytes(PageRun run) {
    int from = run.placePage() * BlobLimits.PAGE_BYTES;
    int to = from + run.pages() * BlobLimits.PAGE_BYTES;
    return source
        .pageBytes(run.place().number())
        .thenApply(record -> Arrays.copyOfRange(record, from, to));
  }

  /** Returns a run of the copy. Its write number is 0: every state of the copy sees it. */
  private static PageRun placed(PageRun run, BlockPlace place, int placePage) {
    return new PageRun(run.page(), run.pages(), 0, place, placePage);
  }

  private static Deadline deadline() {
    return Deadline.after(STEP_TIME_MAX);
  }
}
