package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.TagIndexRows;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.tag.TagQuery;
import io.lazuli.server.blob.tag.TagRange;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Searches the blobs of one container for tags. Mutable, used for one page.
 *
 * <p>The search reads index rows in small batches, takes their blobs as candidates, and reads the
 * properties of each candidate by key. A candidate is a result if its tags, as they are now, match
 * the expression, and if it has the tag of the row that led to it.
 *
 * <p>If the expression fixes the values of some keys, their partitions are read side by side, from
 * the same name on. The batch that reaches furthest is the sparsest, so its names are the
 * candidates, and the next batches begin after it. A name that another batch would contain but does
 * not is left out. So the cost depends on the rarest of these tags, and the results are in the
 * order of names. Otherwise the search follows the values of one key, and the results are in the
 * order of these values.
 */
public final class TagSearch {
  /**
   * A blob that matches.
   *
   * @param versionTicks its version; 0 for none
   * @param at the position of a page that begins with this blob
   */
  public record Match(
      BlobName name, Map<String, String> tags, long versionTicks, SearchMarker at) {}

  /** A candidate: the blob of some index rows, and the stamps of these rows. */
  private record Candidate(String value, Bytes name, List<Long> stamps) {}

  /**
   * Candidates in the order of the index.
   *
   * @param complete true if there are no more after them
   */
  private record Batch(String key, List<Candidate> candidates, boolean complete) {
    /** Returns true if this batch reaches at least as far as another one of the same names. */
    boolean reaches(Batch other) {
      return complete || (!other.complete && lastName().compareTo(other.lastName()) >= 0);
    }

    Bytes lastName() {
      return candidates.get(candidates.size() - 1).name();
    }
  }

  /** Bounds of one batch. The lower one makes up for rows that are left over. */
  private static final int BATCH_ROWS_MIN = 8;

  private static final int BATCH_ROWS_MAX = 256;

  /** A page ends at this size, to bound its memory. */
  public static final long PAGE_BYTES_MAX = 8 << 20;

  private final StorageEngine engine;
  private final TagIndex index;
  private final Space space;
  private final String container;
  private final TagQuery query;
  private final Deadline deadline;
  private final List<Match> matches = new ArrayList<>();
  private @Nullable SearchMarker next;
  private int rows;
  private long bytes;

  public TagSearch(
      StorageEngine engine,
      TagIndex index,
      Space space,
      String container,
      TagQuery query,
      Deadline deadline) {
    this.engine = engine;
    this.index = index;
    this.space = space;
    this.container = container;
    this.query = query;
    this.deadline = deadline;
  }

  public List<Match> matches() {
    return matches;
  }

  /** Returns the position at which the next page begins; null if the container is finished. */
  public @Nullable SearchMarker next() {
    return next;
  }

  /** Returns the number of index rows that the search has read. */
  public int rows() {
    return rows;
  }

  /** Returns the approximate size of the results. */
  public long bytes() {
    return bytes;
  }

  private boolean isFull(int max) {
    return matches.size() >= max || bytes > PAGE_BYTES_MAX;
  }

  /**
   * Finds some blobs.
   *
   * @param from a position in this container
   * @param max the number of results at which the page ends; positive
   * @param rowsMax the number of index rows after which the page ends
   */
  public CompletableFuture<TagSearch> page(SearchMarker from, int max, int rowsMax) {
    next = from;
    return Futures.repeat(
            () -> {
              SearchMarker at = next;
              if (at == null || isFull(max) || rows >= rowsMax) {
                return CompletableFuture.completedFuture(false);
              }
              int size = Math.max(BATCH_ROWS_MIN, max - matches.size() + 1);
              return batch(at, Math.min(size, BATCH_ROWS_MAX))
                  .thenCompose(batch -> verified(batch, max))
                  .thenApply(done -> true);
            })
        .thenApply(done -> this);
  }

  private CompletableFuture<Batch> batch(SearchMarker at, int size) {
    Map<String, String> fixed = query.fixed();
    if (!fixed.isEmpty()) {
      return batches(fixed, at.name(), size).thenApply(TagSearch::sparsest);
    } else if (query.ranges().containsKey(at.key())) {
      return batch(at.key(), new Position(partition(at.key(), at.value()), at.name()), size);
    }
    // At the start of the container: follows a key whose values fit one batch, or the first key.
    List<CompletableFuture<Batch>> starts =
        query.ranges().keySet().stream().map(key -> batch(key, Position.START, size)).toList();
    return Futures.all(starts)
        .thenApply(
            found -> found.stream().filter(Batch::complete).findFirst().orElse(found.get(0)));
  }

  private CompletableFuture<List<Batch>> batches(Map<String, String> fixed, Bytes from, int size) {
    List<CompletableFuture<Batch>> batches = new ArrayList<>();
    fixed.forEach(
        (key, value) -> batches.add(batch(key, new Position(partition(key, value), from), size)));
    return Futures.all(batches);
  }

  /** Returns the candidates of the batch that reaches furthest and that no other batch excludes. */
  private static Batch sparsest(List<Batch> batches) {
    Batch furthest = batches.get(0);
    for (Batch batch : batches) {
      boolean shorter = batch.candidates().size() < furthest.candidates().size();
      if (batch.reaches(furthest) && (!furthest.reaches(batch) || shorter)) {
        furthest = batch;
      }
    }
    List<Candidate> left = new ArrayList<>(furthest.candidates());
    Candidate last = left.isEmpty() ? null : left.get(left.size() - 1);
    for (Batch other : batches) {
      Map<Bytes, Candidate> names = new HashMap<>();
      other.candidates().forEach(candidate -> names.put(candidate.name(), candidate));
      left.removeIf(
          candidate ->
              // The last one stays, because the next batch begins after it.
              !candidate.equals(last)
                  && !names.containsKey(candidate.name())
                  && (other.complete() || candidate.name().compareTo(other.lastName()) < 0));
    }
    return new Batch(furthest.key(), left, furthest.complete());
  }

  private CompletableFuture<Batch> batch(String key, Position from, int size) {
    TagRange values = query.ranges().getOrDefault(key, TagRange.ALL);
    Position start = TagIndexRows.start(key);
    if (values.from() != null) {
      Bytes first = partition(key, values.from());
      start = values.fromIncluded() ? Position.startOf(first) : Position.endOf(first);
    }
    Position end = TagIndexRows.end(key);
    if (values.to() != null) {
      Bytes last = partition(key, values.to());
      end = values.toIncluded() ? Position.endOf(last) : Position.startOf(last);
    }
    KeyRange range = new KeyRange(from.compareTo(start) > 0 ? from : start, end);
    List<Candidate> candidates = new ArrayList<>();
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(new Batch(key, candidates, true));
    }
    int[] read = new int[1];
    RecordVisitor visitor =
        RecordVisitor.ofFirst(
            size,
            record -> {
              read[0]++;
              add(candidates, key, record.partition().copy(), record.row().copy());
              return Visit.CONTINUE;
            });
    return engine
        .scan(space, List.of(range), Direction.FORWARD, deadline, visitor)
        .thenApply(
            scanned -> {
              rows += read[0];
              return new Batch(key, candidates, read[0] < size);
            });
  }

  private static void add(List<Candidate> candidates, String key, byte[] partition, byte[] row) {
    String value = TagIndexRows.value(key, partition);
    Bytes name = TagIndexRows.name(row);
    Candidate last = candidates.isEmpty() ? null : candidates.get(candidates.size() - 1);
    if (last == null || !last.name().equals(name) || !last.value().equals(value)) {
      last = new Candidate(value, name, new ArrayList<>());
      candidates.add(last);
    }
    last.stamps().add(TagIndexRows.stamp(row));
  }

  /** Adds the candidates that match, and sets the position of the next batch. */
  private CompletableFuture<@Nullable Void> verified(Batch batch, int max) {
    List<CompletableFuture<@Nullable BlobProperties>> reads = new ArrayList<>();
    for (Candidate candidate : batch.candidates()) {
      Partition blob = new Partition(space, candidate.name());
      reads.add(new BlobRecords(engine, blob, deadline).find());
    }
    return Futures.all(reads)
        .thenCompose(
            blobs -> {
              Map<Bytes, List<Bytes>> leftOver = new HashMap<>();
              next = null;
              for (int i = 0; i < blobs.size() && next == null; i++) {
                Candidate candidate = batch.candidates().get(i);
                verify(batch.key(), candidate, blobs.get(i), max, leftOver);
              }
              if (next == null && !batch.complete()) {
                Candidate last = batch.candidates().get(batch.candidates().size() - 1);
                next = marker(batch.key(), last, TagIndexRows.after(last.name()));
              }
              return removed(leftOver);
            });
  }

  private void verify(
      String key,
      Candidate candidate,
      @Nullable BlobProperties blob,
      int max,
      Map<Bytes, List<Bytes>> leftOver) {
    BlobTags tags = blob != null && blob.isSearchable() ? blob.tags() : BlobTags.NONE;
    SearchMarker at = marker(key, candidate, candidate.name());
    if (candidate.value().equals(tags.values().get(key)) && query.matches(tags.values())) {
      if (isFull(max)) {
        next = at;
        return;
      }
      Map<String, String> named = new LinkedHashMap<>(tags.values());
      named.keySet().retainAll(query.ranges().keySet());
      long version = blob == null ? 0 : blob.optional().versionTicks();
      matches.add(new Match(BlobName.ofKey(candidate.name().array()), named, version, at));
      bytes += candidate.name().length();
      named.forEach((tag, value) -> bytes += tag.length() + value.length());
    }
    for (long other : candidate.stamps()) {
      if (other != tags.stamp() && index.isRemovable(other)) {
        leftOver
            .computeIfAbsent(partition(key, candidate.value()), name -> new ArrayList<>())
            .add(TagIndexRows.row(candidate.name(), other));
      }
    }
  }

  private CompletableFuture<@Nullable Void> removed(Map<Bytes, List<Bytes>> leftOver) {
    List<CompletableFuture<@Nullable Void>> steps = new ArrayList<>();
    leftOver.forEach(
        (name, stale) -> steps.add(index.remove(new Partition(space, name), stale, deadline)));
    return steps.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : Futures.all(steps).thenApply(done -> null);
  }

  private SearchMarker marker(String key, Candidate candidate, Bytes name) {
    return new SearchMarker(container, key, candidate.value(), name);
  }

  private static Bytes partition(String key, String value) {
    return TagIndexRows.partition(key, value);
  }
}
