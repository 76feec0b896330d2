package io.lazuli.server.blob.service;

import io.lazuli.server.blob.encoding.BlobHistory;
import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.HistoryView;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobOutcome.ListedItem;
import io.lazuli.server.blob.service.BlobOutcome.ListedPrefix;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Builds one page of a listing from the rows of a scan. Mutable, used once.
 *
 * <p>The listing needs the properties of each blob, and its other states if the client asked for
 * them: snapshots, previous versions and soft-deleted ones. It seeks past all other rows. If the
 * listing has a delimiter, it also seeks past all blobs of a group once the group's prefix is on
 * the page.
 *
 * <p>A listing shows the other states of a blob in the order of their times, and the blob after
 * them. The rows have another order: those of each kind follow those of another kind. So the
 * listing collects the first rows of each kind, as many as the page can hold, and merges them once
 * it has seen all kinds. A page therefore costs the same, however many states the blob has.
 */
final class BlobListing implements RecordVisitor {
  /**
   * A blob's properties may follow other rows. This many of those rows are read one by one, which
   * is cheaper than a seek; after that, the listing seeks.
   */
  private static final int ROWS_PASSED = 3;

  /**
   * A page ends at this size, to bound its memory; also the states of one kind that it collects.
   */
  private static final long PAGE_BYTES_MAX = 8 << 20;

  /** A page ends after this many rows, to bound its time if few rows are shown. */
  private static final int PAGE_ROWS_MAX = 200_000;

  private static final byte[] NOT_READ_YET = new byte[0];

  private final ListBlobs list;
  private final BlobHierarchy hierarchy;
  private final Bytes start;
  private final long startTicks;
  private final List<ListedItem> items = new ArrayList<>();
  private @Nullable ListMarker next;
  private long bytes;
  private int rows;
  private long now;

  /** All names before this one belong to a group that is on the page. */
  private Bytes groupEnd = Bytes.EMPTY;

  /**
   * The partition that the scan has reached. {@code passed} counts the rows that were read there
   * before the properties.
   */
  private Bytes name = Bytes.EMPTY;

  private int passed;

  /** The blob that the scan has reached, held back until its other states are on the page. */
  private byte @Nullable [] pending;

  private boolean committed;
  private boolean hasSnapshots;
  private @Nullable BlobHistory history;
  private byte @Nullable [] deletedBlob;

  /** The other states of the blob, those of one kind after those of another. */
  private final List<Former> former = new ArrayList<>();

  /** The kind that is being collected, and how much of it. */
  private Bytes collecting = Bytes.EMPTY;

  private int collected;
  private long collectedBytes;

  /** States after this time may be missing from {@code former}. */
  private long completeTicks = Long.MAX_VALUE;

  /** A snapshot or previous version. */
  private record Former(NamedState state, byte[] stored) {}

  BlobListing(ListBlobs list) {
    this.list = list;
    this.hierarchy = new BlobHierarchy(list.prefix(), list.delimiter());
    ListMarker marker = list.marker();
    this.start = list.bounds().start(hierarchy.from(), marker);
    this.startTicks = marker != null && marker.key().equals(start) ? marker.snapshotTicks() : 0;
  }

  CompletableFuture<BlobOutcome> page(StorageEngine engine, Space container, Deadline deadline) {
    Bytes end = list.bounds().end(hierarchy.to());
    KeyRange range =
        new KeyRange(
            Position.startOf(start),
            end == null ? IndexPartitions.END_OF_BLOBS : Position.startOf(end));
    now = engine.now();
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(new BlobPage(items, null, now));
    }
    return engine
        .scan(container, List.of(range), Direction.FORWARD, deadline, this)
        .thenCompose(
            scanned -> {
              if (next == null) {
                boolean unused = finishBlob();
              }
              return withLastVersions(engine, container, deadline);
            })
        .thenApply(complete -> new BlobPage(complete, next, now));
  }

  @Override
  public Visit visit(LentRecord record) {
    if (!record.partition().contentEquals(name)) {
      if (!finishBlob()) {
        return Visit.STOP;
      }
      name = Bytes.of(record.partition().copy());
      passed = 0;
      if (name.compareTo(groupEnd) < 0) {
        return Visit.skipTo(Position.startOf(groupEnd));
      } else if (rows > PAGE_ROWS_MAX) {
        next = ListMarker.at(name);
        return Visit.STOP;
      }
    }
    rows++;
    return switch (BlobRows.kind(record.row())) {
      case BYTES, DUE, GONE_CHUNK, SEGMENT ->
          ++passed <= ROWS_PASSED ? Visit.CONTINUE : to(BlobRows.PROPERTIES);
      case PAGE_BYTES, PAGE_CLEAR, PAGE_EXTENT, PAGE_CHUNK, PAGE_NOTE -> to(BlobRows.PROPERTIES);
      case PROPERTIES -> properties(record);
      case HISTORY -> history(record);
      case SNAPSHOT -> {
        Bytes row = row(record);
        yield collect(row, record, NamedState.snapshot(BlobRows.snapshotTicks(row)));
      }
      case UNCOMMITTED_BLOCK -> after(row(record));
      case VERSION -> {
        Bytes row = row(record);
        yield collect(row, record, NamedState.version(BlobRows.snapshotTicks(row)));
      }
      case DELETED -> deleted(row(record), record);
    };
  }

  private static Bytes row(LentRecord record) {
    return Bytes.of(record.row().copy());
  }

  private Visit properties(LentRecord record) {
    byte[] stored = record.value().copy();
    BlobProperties blob = BlobPropertiesCodec.decode(stored);
    boolean expired = blob.optional().isExpired(now);
    committed = blob.isCommitted() && !expired;
    if (expired || (!committed && !list.uncommitted())) {
      return list.former().any() ? Visit.CONTINUE : skipBlob();
    }
    Bytes group = hierarchy.group(name.array());
    if (group != null) {
      return addGroup(group) ? Visit.skipTo(Position.startOf(groupEnd)) : Visit.STOP;
    }
    pending = stored;
    bytes += stored.length;
    hasSnapshots = blob.snapshots().count() > 0;
    // If the blob has former states, their summary is the next row.
    return list.former().any() ? Visit.CONTINUE : after(BlobRows.HISTORY);
  }

  private Visit history(LentRecord record) {
    if (list.former().any()) {
      history = BlobHistory.decode(record.value().copy());
    }
    return after(BlobRows.HISTORY);
  }

  private Visit deleted(Bytes row, LentRecord record) {
    if (!list.former().deleted()) {
      // The scan came here after the last version.
      return skipBlob();
    }
    if (row.equals(BlobRows.DELETED_BLOB)) {
      deletedBlob = record.value().copy();
      bytes += deletedBlob.length;
      return after(row);
    }
    long ticks = BlobRows.deletedTicks(row);
    return BlobRows.deletedKind(row) == BlobRows.Kind.SNAPSHOT
        ? collect(row, record, NamedState.snapshot(ticks))
        : collect(row, record, NamedState.version(ticks));
  }

  /**
   * Collects a state, or passes it if it is not wanted or the page cannot hold more of its kind.
   */
  private Visit collect(Bytes row, LentRecord record, NamedState state) {
    Bytes kind = wantedStart(row);
    if (kind == null) {
      return after(row);
    }
    if (!kind.equals(collecting)) {
      collecting = kind;
      collected = 0;
      collectedBytes = 0;
    }
    byte[] stored = record.value().copy();
    if (BlobRows.kind(row) != BlobRows.Kind.DELETED || isShown(stored)) {
      former.add(new Former(state, stored));
      collected++;
      collectedBytes += stored.length;
    }
    if (collected <= list.max() && collectedBytes <= PAGE_BYTES_MAX) {
      return Visit.CONTINUE;
    }
    completeTicks = Math.min(completeTicks, state.ticks());
    return after(lastOf(kind));
  }

  /** Returns whether a deleted state can be restored. */
  private boolean isShown(byte[] stored) {
    BlobHistory summary = history;
    return summary != null
        && HistoryView.isRestorable(summary, BlobPropertiesCodec.decode(stored), now);
  }

  /** Returns the rows that the listing wants of a blob, in their order: where each kind begins. */
  private List<Bytes> wanted() {
    long from = name.equals(start) ? startTicks : 0;
    boolean past = history != null && hierarchy.group(name.array()) == null;
    List<Bytes> wanted = new ArrayList<>();
    if (list.snapshots() && hasSnapshots) {
      wanted.add(BlobRows.snapshot(from));
    }
    if (list.former().versions() && history != null) {
      wanted.add(BlobRows.version(past ? from : 0));
    }
    if (list.former().deleted() && history != null) {
      wanted.add(BlobRows.DELETED_BLOB);
      if (list.snapshots()) {
        wanted.add(BlobRows.deletedSnapshot(from));
      }
      if (list.former().versions()) {
        wanted.add(BlobRows.deletedVersion(past ? from : 0));
      }
    }
    return wanted;
  }

  /** Returns where the kind of a row begins; null if the listing does not want the row. */
  private @Nullable Bytes wantedStart(Bytes row) {
    for (Bytes begin : wanted()) {
      if (begin.compareTo(row) <= 0 && row.compareTo(lastOf(begin)) < 0) {
        return begin;
      }
    }
    return null;
  }

  /** Returns the end of the rows of a kind. */
  private static Bytes lastOf(Bytes row) {
    if (BlobRows.kind(row) == BlobRows.Kind.SNAPSHOT) {
      return BlobRows.SNAPSHOTS_END;
    } else if (BlobRows.kind(row) == BlobRows.Kind.VERSION) {
      return BlobRows.VERSIONS_END;
    } else if (row.equals(BlobRows.DELETED_BLOB)) {
      return BlobRows.DELETED_SNAPSHOTS;
    }
    return BlobRows.deletedKind(row) == BlobRows.Kind.SNAPSHOT
        ? BlobRows.DELETED_SNAPSHOTS_END
        : BlobRows.DELETED_VERSIONS_END;
  }

  /** Seeks to the next wanted kind of rows at or after a row. */
  private Visit after(Bytes row) {
    for (Bytes begin : wanted()) {
      if (begin.compareTo(row) > 0) {
        return to(begin);
      }
    }
    return skipBlob();
  }

  /**
   * Adds the blob that the scan has passed and its other states. Returns false if the page is full.
   */
  private boolean finishBlob() {
    boolean fits = addBlob();
    pending = null;
    committed = false;
    hasSnapshots = false;
    history = null;
    deletedBlob = null;
    former.clear();
    collecting = Bytes.EMPTY;
    completeTicks = Long.MAX_VALUE;
    return fits;
  }

  private boolean addBlob() {
    byte[] base = base();
    boolean versionsOnly = base == null && isVersionsOnly();
    Bytes group = hierarchy.group(name.array());
    if (group != null) {
      return (base == null && !versionsOnly && former.isEmpty()) || addGroup(group);
    }
    former.sort(Comparator.comparingLong(state -> state.state().ticks()));
    for (Former state : former) {
      if (state.state().ticks() > completeTicks) {
        break;
      }
      ListedItem item = new ListedBlob(BlobName.ofKey(name.array()), state.state(), state.stored());
      if (!add(item, state.stored().length, new ListMarker(name, state.state().ticks()))) {
        return false;
      }
    }
    if (completeTicks != Long.MAX_VALUE) {
      next = new ListMarker(name, completeTicks + 1);
      return false;
    }
    if (base == null && !versionsOnly) {
      return true;
    }
    ListedItem item =
        new ListedBlob(
            BlobName.ofKey(name.array()), null, versionsOnly, base == null ? NOT_READ_YET : base);
    long ticks = list.snapshots() || list.former().versions() ? ListMarker.BASE_BLOB : 0;
    return add(item, 0, new ListMarker(name, ticks));
  }

  /**
   * Returns the state that the listing shows as the blob itself; null for none. A deleted blob that
   * was replaced since is shown as a deleted snapshot.
   */
  private byte @Nullable [] base() {
    byte[] deleted = deletedBlob;
    if (deleted == null || !isShown(deleted)) {
      return pending;
    }
    if (!committed) {
      return deleted;
    }
    long from = name.equals(start) ? startTicks : 0;
    long ticks = HistoryView.deletion(BlobPropertiesCodec.decode(deleted)).deletedTicks();
    if (list.snapshots() && ticks >= from) {
      former.add(new Former(NamedState.snapshot(ticks), deleted));
    }
    return pending;
  }

  private boolean isVersionsOnly() {
    return list.former().versionsOnly()
        && !list.former().versions()
        && history != null
        && history.versions() > 0;
  }

  private boolean addGroup(Bytes group) {
    String prefix = new String(group.array(), StandardCharsets.UTF_8);
    groupEnd = BlobHierarchy.firstAfter(group);
    return add(new ListedPrefix(prefix), group.length(), ListMarker.at(name));
  }

  /** Adds an item. If the page is full, returns false, and the next page begins with the item. */
  private boolean add(ListedItem item, long itemBytes, ListMarker at) {
    bytes += itemBytes;
    if (items.size() == list.max() || (bytes > PAGE_BYTES_MAX && !items.isEmpty())) {
      next = at;
      return false;
    }
    return items.add(item);
  }

  /** Reads the last versions of the deleted blobs that stand for their versions. */
  private CompletableFuture<List<ListedItem>> withLastVersions(
      StorageEngine engine, Space container, Deadline deadline) {
    CompletableFuture<List<ListedItem>> done =
        CompletableFuture.completedFuture(new ArrayList<>(items.size()));
    if (!list.former().versionsOnly()) {
      return CompletableFuture.completedFuture(items);
    }
    for (ListedItem item : items) {
      boolean unread = item instanceof ListedBlob blob && blob.versionsOnly();
      done =
          done.thenCompose(
              complete ->
                  (unread
                          ? lastVersion(engine, container, (ListedBlob) item, deadline)
                          : CompletableFuture.completedFuture(item))
                      .thenApply(
                          read -> {
                            complete.add(read);
                            return complete;
                          }));
    }
    return done.thenApply(
        complete ->
            complete.stream()
                .filter(item -> !(item instanceof ListedBlob blob) || blob.stored() != NOT_READ_YET)
                .toList());
  }

  private static CompletableFuture<ListedItem> lastVersion(
      StorageEngine engine, Space container, ListedBlob blob, Deadline deadline) {
    Bytes key = blob.name().key();
    KeyRange range =
        new KeyRange(
            new Position(key, BlobRows.VERSIONS), new Position(key, BlobRows.VERSIONS_END));
    ListedItem[] found = {blob};
    return engine
        .scan(
            container,
            List.of(range),
            Direction.BACKWARD,
            deadline,
            RecordVisitor.ofFirst(
                1,
                record -> {
                  found[0] = new ListedBlob(blob.name(), null, true, record.value().copy());
                  return Visit.STOP;
                }))
        .thenApply(scanned -> found[0]);
  }

  private Visit skipBlob() {
    return Visit.skipTo(Position.endOf(name));
  }

  private Visit to(Bytes row) {
    return Visit.skipTo(new Position(name, row));
  }
}
