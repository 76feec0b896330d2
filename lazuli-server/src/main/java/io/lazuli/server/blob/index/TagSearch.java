package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.TagIndexRows;
import io.lazuli.server.blob.encoding.TaggedState;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Searches the blobs of one container for tags, or the blobs and their previous versions. Mutable,
 * used for one page.
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
 *
 * <p>A search for versions does the same in the index of versions, after it has read the properties
 * of the blobs of a batch. A state that becomes a version in between is then found there, because
 * its rows are written first. What both batches cover is merged, and the next ones begin after it.
 */
public final class TagSearch {
  /**
   * A blob or version that matches.
   *
   * @param versionTicks its version; 0 for none
   * @param current false for a previous version
   * @param at the position of a page that begins with this blob
   */
  public record Match(
      BlobName name,
      Map<String, String> tags,
      long versionTicks,
      boolean current,
      SearchMarker at) {}

  /** A candidate: the blob or version of some index rows, and the stamps of these rows. */
  private record Candidate(TagIndexRows index, String value, Bytes entry, List<Long> stamps) {
    Bytes name() {
      return index.name(entry);
    }

    Bytes place() {
      return index.place(entry);
    }
  }

  /**
   * Candidates in the order of the index.
   *
   * @param complete true if there are no more after them
   */
  private record Batch(String key, List<Candidate> candidates, boolean complete) {
    /** Returns true if this batch reaches at least as far as another one of the same values. */
    boolean reaches(Batch other) {
      return complete || (!other.complete && last().entry().compareTo(other.last().entry()) >= 0);
    }

    Candidate last() {
      return candidates.get(candidates.size() - 1);
    }
  }

  /** A candidate and its state, which may be gone. */
  private record Found(Candidate candidate, @Nullable BlobProperties state) {
    static final Comparator<Found> ORDER =
        Comparator.comparing((Found found) -> found.candidate().value())
            .thenComparing(found -> found.candidate().place());

    BlobTags tags() {
      return state != null && state.isSearchable() ? state.tags() : BlobTags.NONE;
    }

    /** Returns true if a previous version is this blob, which became it after it was read. */
    boolean becameVersion(Found version) {
      if (version.state == null || state == null) {
        return false;
      }
      long ticks = state.optional().versionTicks();
      return version.state.changedTicks() == state.changedTicks()
          && (ticks == 0 || version.state.optional().versionTicks() == ticks);
    }
  }

  /** A batch whose states were read. */
  private record Part(String key, List<Found> found, boolean complete) {
    /** Returns what this part and that of the versions cover, in the order of the results. */
    Part merged(Part other) {
      Map<Bytes, List<Found>> versions = new HashMap<>();
      for (Found version : other.found) {
        versions
            .computeIfAbsent(version.candidate().name(), name -> new ArrayList<>())
            .add(version);
      }
      List<Found> all = new ArrayList<>(found);
      all.removeIf(
          blob ->
              versions.getOrDefault(blob.candidate().name(), List.of()).stream()
                  .anyMatch(blob::becameVersion));
      all.addAll(other.found);
      all.sort(Found.ORDER);
      for (Part part : List.of(this, other)) {
        if (!part.complete) {
          Found last = part.found.get(part.found.size() - 1);
          all.removeIf(each -> Found.ORDER.compare(each, last) > 0);
        }
      }
      return new Part(key, all, complete && other.complete);
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
  private final boolean versions;
  private final Deadline deadline;
  private final List<Match> matches = new ArrayList<>();
  private @Nullable SearchMarker next;
  private int rowsRead;
  private long bytes;

  /**
   * @param versions whether previous versions are results, too
   */
  public TagSearch(
      StorageEngine engine,
      TagIndex index,
      Space space,
      String container,
      TagQuery query,
      boolean versions,
      Deadline deadline) {
    this.engine = engine;
    this.index = index;
    this.space = space;
    this.container = container;
    this.query = query;
    this.versions = versions;
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
    return rowsRead;
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
              if (at == null || isFull(max) || rowsRead >= rowsMax) {
                return CompletableFuture.completedFuture(false);
              }
              int size = Math.max(BATCH_ROWS_MIN, max - matches.size() + 1);
              return part(at, Math.min(size, BATCH_ROWS_MAX))
                  .thenCompose(part -> verified(part, max))
                  .thenApply(done -> true);
            })
        .thenApply(done -> this);
  }

  private CompletableFuture<Part> part(SearchMarker at, int size) {
    CompletableFuture<Part> current =
        firstBatch(at, size).thenCompose(batch -> read(batch)); // Before the versions: see above.
    return !versions
        ? current
        : current.thenCompose(
            part ->
                batch(TagIndexRows.VERSIONS, part.key(), at, size)
                    .thenCompose(this::read)
                    .thenApply(part::merged));
  }

  private CompletableFuture<Batch> firstBatch(SearchMarker at, int size) {
    Set<String> keys = query.ranges().keySet();
    if (!query.fixed().isEmpty() || keys.contains(at.key())) {
      return batch(TagIndexRows.CURRENT, at.key(), at, size);
    }
    // At the start of the container: follows a key whose values fit one batch, or the first key.
    List<CompletableFuture<Batch>> starts =
        keys.stream().map(key -> batch(TagIndexRows.CURRENT, key, at, size)).toList();
    return Futures.all(starts)
        .thenApply(
            found -> found.stream().filter(Batch::complete).findFirst().orElse(found.get(0)));
  }

  /**
   * Reads a batch of an index.
   *
   * @param key the key whose values the search follows, if the expression fixes none
   */
  private CompletableFuture<Batch> batch(TagIndexRows rows, String key, SearchMarker at, int size) {
    Bytes from = rows.firstAt(at.name());
    Map<String, String> fixed = query.fixed();
    if (fixed.isEmpty()) {
      Position start =
          key.equals(at.key())
              ? new Position(rows.partition(key, at.value()), from)
              : Position.START;
      return batch(rows, key, start, size);
    }
    List<CompletableFuture<Batch>> batches = new ArrayList<>();
    fixed.forEach(
        (each, value) ->
            batches.add(batch(rows, each, new Position(rows.partition(each, value), from), size)));
    return Futures.all(batches).thenApply(TagSearch::sparsest);
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
      Set<Bytes> entries = new HashSet<>();
      other.candidates().forEach(candidate -> entries.add(candidate.entry()));
      left.removeIf(
          candidate ->
              // The last one stays, because the next batch begins after it.
              !candidate.equals(last)
                  && !entries.contains(candidate.entry())
                  && (other.complete() || candidate.entry().compareTo(other.last().entry()) < 0));
    }
    return new Batch(furthest.key(), left, furthest.complete());
  }

  private CompletableFuture<Batch> batch(TagIndexRows rows, String key, Position from, int size) {
    TagRange values = query.ranges().getOrDefault(key, TagRange.ALL);
    Position start = rows.start(key);
    if (values.from() != null) {
      Bytes first = rows.partition(key, values.from());
      start = values.fromIncluded() ? Position.startOf(first) : Position.endOf(first);
    }
    Position end = rows.end(key);
    if (values.to() != null) {
      Bytes last = rows.partition(key, values.to());
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
              add(candidates, rows, key, record.partition().copy(), record.row().copy());
              return Visit.CONTINUE;
            });
    return engine
        .scan(space, List.of(range), Direction.FORWARD, deadline, visitor)
        .thenApply(
            scanned -> {
              rowsRead += read[0];
              return new Batch(key, candidates, read[0] < size);
            });
  }

  private static void add(
      List<Candidate> candidates, TagIndexRows rows, String key, byte[] partition, byte[] row) {
    String value = rows.value(key, partition);
    Bytes entry = TagIndexRows.entry(row);
    Candidate last = candidates.isEmpty() ? null : candidates.get(candidates.size() - 1);
    if (last == null || !last.entry().equals(entry) || !last.value().equals(value)) {
      last = new Candidate(rows, value, entry, new ArrayList<>());
      candidates.add(last);
    }
    last.stamps().add(TagIndexRows.stamp(row));
  }

  /** Reads the states of candidates. */
  private CompletableFuture<Part> read(Batch batch) {
    List<CompletableFuture<Found>> reads = new ArrayList<>();
    for (Candidate candidate : batch.candidates()) {
      Partition blob = new Partition(space, candidate.name());
      BlobRecords records = new BlobRecords(engine, blob, deadline);
      long version = candidate.index().version(candidate.entry());
      reads.add(
          (version == 0 ? records.find() : records.findPrevious(version))
              .thenApply(state -> new Found(candidate, state)));
    }
    return Futures.all(reads).thenApply(found -> new Part(batch.key(), found, batch.complete()));
  }

  /** Adds the candidates that match, and sets the position of the next batch. */
  private CompletableFuture<@Nullable Void> verified(Part part, int max) {
    Map<Bytes, List<Bytes>> leftOver = new HashMap<>();
    next = null;
    for (int i = 0; i < part.found().size() && next == null; i++) {
      verify(part.key(), part.found().get(i), max, leftOver);
    }
    if (next == null && !part.complete()) {
      Candidate last = part.found().get(part.found().size() - 1).candidate();
      next = marker(part.key(), last, TagIndexRows.after(last.entry()));
    }
    return removed(leftOver);
  }

  private void verify(String key, Found found, int max, Map<Bytes, List<Bytes>> leftOver) {
    Candidate candidate = found.candidate();
    BlobTags tags = found.tags();
    boolean matches =
        candidate.value().equals(tags.values().get(key)) && query.matches(tags.values());
    if (matches) {
      if (isFull(max)) {
        next = marker(key, candidate, candidate.place());
        return;
      }
      show(key, found);
    }
    TaggedState state = new TaggedState(candidate.index().version(candidate.entry()), tags);
    for (long other : candidate.stamps()) {
      boolean needed = state.isIndexed() && state.rowStamp() == other;
      if (!needed && index.isRemovable(other)) {
        leftOver
            .computeIfAbsent(
                candidate.index().partition(key, candidate.value()), name -> new ArrayList<>())
            .add(TagIndexRows.row(candidate.entry(), other));
      }
    }
  }

  private void show(String key, Found found) {
    Candidate candidate = found.candidate();
    BlobProperties state = Objects.requireNonNull(found.state());
    Map<String, String> named = new LinkedHashMap<>(state.tags().values());
    named.keySet().retainAll(query.ranges().keySet());
    matches.add(
        new Match(
            BlobName.ofKey(candidate.name().array()),
            named,
            state.optional().versionTicks(),
            candidate.index() == TagIndexRows.CURRENT,
            marker(key, candidate, candidate.place())));
    bytes += candidate.entry().length();
    named.forEach((tag, value) -> bytes += tag.length() + value.length());
  }

  private CompletableFuture<@Nullable Void> removed(Map<Bytes, List<Bytes>> leftOver) {
    List<CompletableFuture<@Nullable Void>> steps = new ArrayList<>();
    leftOver.forEach(
        (name, stale) -> steps.add(index.remove(new Partition(space, name), stale, deadline)));
    return steps.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : Futures.all(steps).thenApply(done -> null);
  }

  private SearchMarker marker(String key, Candidate candidate, Bytes place) {
    return new SearchMarker(container, key, candidate.value(), place);
  }
}
