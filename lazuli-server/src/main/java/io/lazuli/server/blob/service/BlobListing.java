package io.lazuli.server.blob.service;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.request.ListMarker;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Builds one page of a listing from the rows of a scan. Mutable, used once.
 *
 * <p>The listing needs the properties of each blob, and the snapshots if the client asked for them.
 * It seeks past all other rows. If the listing has a delimiter, it also seeks past all blobs of a
 * group once the group's prefix is on the page. The rows of snapshots come after the properties,
 * but a listing shows snapshots before their blob. So the blob is held back until its snapshots
 * have been read.
 */
final class BlobListing implements RecordVisitor {
  /**
   * A blob's properties may follow other rows. This many of those rows are read one by one, which
   * is cheaper than a seek; after that, the listing seeks.
   */
  private static final int ROWS_PASSED = 3;

  /** A page ends at this size, to bound its memory. */
  private static final long PAGE_BYTES_MAX = 8 << 20;

  /** A page ends after this many rows, to bound its time if few rows are shown. */
  private static final int PAGE_ROWS_MAX = 200_000;

  private final ListBlobs list;
  private final BlobHierarchy hierarchy;
  private final Bytes start;
  private final long startTicks;
  private final List<ListedItem> items = new ArrayList<>();
  private @Nullable ListMarker next;
  private long bytes;
  private int rows;

  /**
   * The partition that the scan has reached. {@code passed} counts the rows that were read there
   * before the properties.
   */
  private Bytes name = Bytes.EMPTY;

  private int passed;

  /** The properties of the blob that is held back until its snapshots are on the page. */
  private byte @Nullable [] pending;

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
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(new BlobPage(items, null, engine.now()));
    }
    return engine
        .scan(container, List.of(range), Direction.FORWARD, deadline, this)
        .thenApply(
            scanned -> {
              if (next == null) {
                showPending();
              }
              return new BlobPage(items, next, engine.now());
            });
  }

  @Override
  public Visit visit(LentRecord record) {
    if (!record.partition().contentEquals(name)) {
      if (!showPending()) {
        return Visit.STOP;
      }
      name = Bytes.of(record.partition().copy());
      passed = 0;
    }
    if (++rows > PAGE_ROWS_MAX && pending == null) {
      next = ListMarker.at(name);
      return Visit.STOP;
    }
    return switch (BlobRows.kind(record.row())) {
      case BYTES, GONE_CHUNK, SEGMENT ->
          ++passed <= ROWS_PASSED ? Visit.CONTINUE : to(BlobRows.PROPERTIES);
      case PROPERTIES -> properties(record);
      case SNAPSHOT -> pending != null ? snapshot(record) : skipBlob();
      case UNCOMMITTED_BLOCK -> skipBlob();
    };
  }

  private Visit properties(LentRecord record) {
    byte[] stored = record.value().copy();
    BlobProperties blob = BlobPropertiesCodec.decode(stored);
    if (!blob.isCommitted() && !list.uncommitted()) {
      return skipBlob();
    }
    Bytes group = hierarchy.group(name.array());
    if (group != null) {
      String prefix = new String(group.array(), StandardCharsets.UTF_8);
      return add(new ListedPrefix(prefix), group.length(), ListMarker.at(name))
          ? Visit.skipTo(Position.startOf(BlobHierarchy.firstAfter(group)))
          : Visit.STOP;
    }
    pending = stored;
    bytes += stored.length;
    if (!list.snapshots() || blob.snapshots().count() == 0) {
      return showPending() ? skipBlob() : Visit.STOP;
    }
    return to(BlobRows.snapshot(name.equals(start) ? startTicks : 0));
  }

  private Visit snapshot(LentRecord record) {
    long ticks = BlobRows.snapshotTicks(Bytes.of(record.row().copy()));
    byte[] stored = record.value().copy();
    ListedItem item = new ListedBlob(BlobName.ofKey(name.array()), ticks, stored);
    if (add(item, stored.length, new ListMarker(name, ticks))) {
      return Visit.CONTINUE;
    }
    pending = null;
    return Visit.STOP;
  }

  /** Adds the blob that was held back, if there is one. Returns false if the page is full. */
  private boolean showPending() {
    byte[] stored = pending;
    pending = null;
    if (stored == null) {
      return true;
    }
    ListedItem item = new ListedBlob(BlobName.ofKey(name.array()), null, stored);
    long ticks = list.snapshots() ? ListMarker.BASE_BLOB : 0;
    return add(item, 0, new ListMarker(name, ticks));
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

  private Visit skipBlob() {
    return Visit.skipTo(Position.endOf(name));
  }

  private Visit to(Bytes row) {
    return Visit.skipTo(new Position(name, row));
  }
}
