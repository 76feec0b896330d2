package io.lazuli.server.blob.partition;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.storage.PartitionView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A blob's partition inside a transaction, in the words of the service. Every body that gives bytes
 * to a blob also writes its properties, so whoever read them by key notices.
 *
 * <p>Numbers of versions, uploads and records are timestamps of the properties' row: those never
 * repeat, also when the blob was deleted meanwhile. Where an engine keeps that promise per row
 * only, the row that a number would name is read by key and the number raised until it is free.
 */
public final class BlobView {
  private final PartitionView view;

  public BlobView(PartitionView view) {
    this.view = view;
  }

  /** The blob; also one of which nothing is committed. */
  public @Nullable BlobProperties find() {
    byte[] record = view.read(BlobRows.PROPERTIES);
    return record == null ? null : BlobPropertiesCodec.decode(record);
  }

  public void put(BlobProperties blob) {
    view.put(BlobRows.PROPERTIES, BlobPropertiesCodec.encode(blob));
  }

  public long newTicks() {
    return view.timestamp(BlobRows.PROPERTIES);
  }

  /** A version that no rows have, later than the blob's own. */
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
   * Gives bytes a place. Nobody writes to them any more, so the engine may have the array itself.
   *
   * @return null if they are in a chunk that is being collected, because its upload took too long
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

  /** Removes bytes that nothing refers to any more; chunks are left to the collector. */
  public void remove(BlockPlace place) {
    if (!place.inChunk()) {
      view.delete(BlobRows.bytes(place.number()));
    }
  }
}
