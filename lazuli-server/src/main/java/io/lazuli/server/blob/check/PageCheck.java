package io.lazuli.server.blob.check;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.page.PageRun;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.sparse.PageMap;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import java.util.ArrayList;
import java.util.List;

/** Checks that the bytes exist of all pages that a state of a page blob shows. */
final class PageCheck {
  /** The number of extents that are read at a time, so that a blob of any size fits in memory. */
  private static final long EXTENTS_PER_STEP = 4_096;

  /** Receives the problems. */
  @FunctionalInterface
  interface Problems {
    void found(String problem);
  }

  private final StorageEngine engine;
  private final Partition partition;
  private final Problems problems;
  private final ChunkLengths chunks;

  PageCheck(StorageEngine engine, Partition partition, Problems problems, ChunkLengths chunks) {
    this.engine = engine;
    this.partition = partition;
    this.problems = problems;
    this.chunks = chunks;
  }

  void check(BlobProperties blob) {
    PageMap pages = new PageMap(new BlobRecords(engine, partition, Deadline.NEVER), blob);
    long next = 0;
    boolean more = true;
    while (more) {
      List<PageRun> runs = new ArrayList<>();
      long[] last = {-1};
      Futures.await(
          pages.visit(
              next,
              Long.MAX_VALUE,
              (extent, older, shown) -> {
                runs.addAll(shown.runs());
                last[0] = extent;
                return runs.size() < EXTENTS_PER_STEP;
              }));
      runs.forEach(this::check);
      more = runs.size() >= EXTENTS_PER_STEP;
      next = last[0] + 1;
    }
  }

  private void check(PageRun run) {
    long needed = (long) (run.placePage() + run.pages()) * BlobLimits.PAGE_BYTES;
    String problem =
        run.place().inChunk()
            ? chunks.problem(run.place().number(), needed, Long.MAX_VALUE)
            : rowProblem(run.place().number(), needed);
    if (!problem.isEmpty()) {
      problems.found("a page " + problem);
    }
  }

  private String rowProblem(long number, long needed) {
    try {
      byte[] stored =
          Futures.await(engine.read(partition.row(BlobRows.pageBytes(number)), Deadline.NEVER));
      if (stored == null) {
        return "is missing";
      }
      return stored.length >= needed ? "" : "has too few bytes";
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.CORRUPT) {
        throw e;
      }
      return "is damaged";
    }
  }
}
