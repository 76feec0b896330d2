package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.error.Invariant;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes unnamed rows and marks unnamed chunks so that nothing will ever name them. Does nothing
 * if the properties or the former states have changed since the garbage was determined. The result
 * is true if the garbage was removed.
 *
 * @param properties the properties' record; null if there was no blob
 * @param history the record of the former states' summary; null if there was none
 * @param chunks the chunks to mark; they may be deleted once this is committed
 */
public record RemoveBody(
    byte @Nullable [] properties, byte @Nullable [] history, List<Bytes> rows, List<Long> chunks)
    implements TransactionBody<Boolean> {
  /**
   * The maximum number of rows to remove. Together with the properties and the summary they are
   * 1,000 rows, our own limit for a transaction.
   */
  static final int ROWS_MAX = 998;

  /** Removes garbage of a blob without former states. */
  public RemoveBody(byte @Nullable [] properties, List<Bytes> rows, List<Long> chunks) {
    this(properties, null, rows, chunks);
  }

  public RemoveBody {
    Invariant.check(rows.size() + chunks.size() <= ROWS_MAX, "too many rows in a transaction");
  }

  @Override
  public Boolean run(PartitionView partition) {
    if (!Arrays.equals(partition.read(BlobRows.PROPERTIES), properties)) {
      return false;
    }
    // Former states that came since were the blob itself before, so the properties have changed.
    if (history != null && !Arrays.equals(partition.read(BlobRows.HISTORY), history)) {
      return false;
    }
    rows.forEach(partition::delete);
    for (long chunk : chunks) {
      Bytes row = BlobRows.goneChunk(chunk);
      partition.put(row, ByteBuffer.allocate(Long.BYTES).putLong(partition.timestamp(row)).array());
    }
    return true;
  }

  /** Returns the time at which a chunk was marked. */
  static long markedTicks(byte[] mark) {
    return ByteBuffer.wrap(mark).getLong();
  }
}
