package io.lazuli.server.blob.partition;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.page.ExtentRange;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A blob's partition inside a transaction. Every transaction that adds bytes to a blob also writes
 * the properties. So a caller that read the properties by key notices the change.
 *
 * <p>The numbers of versions, uploads and records are timestamps of the properties' row. Timestamps
 * never repeat, even if the blob was deleted in between. Some engines promise that only within a
 * row, so each new number is checked: if a row with that number exists, the number is raised until
 * it is free.
 */
public final class BlobView {
  private final PartitionView view;

  public BlobView(PartitionView view) {
    this.view = view;
  }

  /**
   * Finds the blob, even if nothing of it is committed.
   *
   * @throws ExpiredBlob if the blob has expired. The caller removes it and runs the body again.
   */
  public @Nullable BlobProperties find() {
    BlobProperties found = findStored();
    if (found != null && isExpired(found)) {
      throw new ExpiredBlob();
    }
    return found;
  }

  /** Finds the blob, even if it has expired and must not be shown. */
  public @Nullable BlobProperties findStored() {
    byte[] record = view.read(BlobRows.PROPERTIES);
    return record == null ? null : BlobPropertiesCodec.decode(record);
  }

  /** Returns whether a blob has expired at the time of this transaction. */
  public boolean isExpired(BlobProperties blob) {
    return blob.optional().expiryTicks() != 0 && blob.optional().isExpired(newTicks());
  }

  /**
   * Returns the row of a snapshot or version, which may not exist.
   *
   * @throws ExpiredBlob if the blob has expired, because its snapshots have, too
   */
  public Bytes row(NamedState state) {
    BlobProperties blob = find();
    if (state.isSnapshot()) {
      return BlobRows.snapshot(state.ticks());
    }
    return blob != null && blob.optional().versionTicks() == state.ticks()
        ? BlobRows.PROPERTIES
        : BlobRows.version(state.ticks());
  }

  public void put(BlobProperties blob) {
    view.put(BlobRows.PROPERTIES, BlobPropertiesCodec.encode(blob));
  }

  public long newTicks() {
    return view.timestamp(BlobRows.PROPERTIES);
  }

  /** Returns a version that no row uses and that is higher than the blob's own. */
  public long newVersion(long ticks, @Nullable BlobProperties old) {
    long version = old == null ? ticks : Math.max(ticks, old.content().version() + 1);
    while (view.read(BlobRows.segment(version, 0)) != null) {
      version++;
    }
    return version;
  }

  public void putSegment(long version, long start, List<Block> blocks) {
    view.put(BlobRows.segment(version, start), BlockSegmentCodec.encode(blocks));
  }

  /**
   * Stores content and returns its place. Nobody may write to the content's array after this,
   * because the engine may keep it.
   *
   * @return null if the content is in a chunk that the collector has marked, because the upload
   *     took too long
   */
  public @Nullable BlockPlace store(NewContent content, long ticks) {
    if (content instanceof NewContent.InChunk chunk) {
      boolean gone = view.read(BlobRows.goneChunk(chunk.number())) != null;
      return gone ? null : new BlockPlace(true, chunk.number());
    }
    long number = ticks;
    while (view.read(BlobRows.bytes(number)) != null) {
      number++;
    }
    view.put(BlobRows.bytes(number), ((NewContent.InMemory) content).bytes());
    return new BlockPlace(false, number);
  }

  /**
   * Leaves a note for the collector if a snapshot that goes shared pages with its blob. Versions of
   * other blobs need no note: they go as a whole.
   *
   * @param blob the blob that stays
   */
  public void noteDropped(BlobProperties snapshot, BlobProperties blob) {
    if (snapshot.type() == BlobType.PAGE) {
      long last = Math.max(newTicks(), blob.changedTicks());
      notePages(last, ExtentRange.all(snapshot.content().version()));
    }
  }

  /**
   * Leaves a note for the collector: rows of extents that were superseded by writes up to the given
   * one may be garbage.
   */
  public void notePages(long write, ExtentRange range) {
    long number = write;
    while (view.read(BlobRows.pageNote(number)) != null) {
      number++;
    }
    view.put(BlobRows.pageNote(number), PageCodec.encode(range));
  }

  /** Removes bytes that nothing refers to any more. Chunks are left to the collector. */
  public void remove(BlockPlace place) {
    if (!place.inChunk()) {
      view.delete(BlobRows.bytes(place.number()));
    }
  }
}
