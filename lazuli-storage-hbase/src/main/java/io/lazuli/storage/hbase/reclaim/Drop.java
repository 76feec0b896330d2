package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;

/**
 * A drop as its home records it: its time, and the progress of removing the space's records. The
 * value of its row is the time. After reclaiming has begun it also contains a byte that marks the
 * second sweep, a count and a key.
 *
 * @param key the key of its row in the catalogue
 * @param millis the time when the space was dropped, by the cluster's clock
 * @param swept true if the first sweep is complete
 * @param from the key that the current sweep has reached; it found no record before this key
 * @param rows the number of rows that were deleted one by one in the region of that key
 */
public record Drop(
    Bytes key, Partition home, long space, long millis, boolean swept, Bytes from, long rows) {
  private static final int SWEPT_BYTES = Long.BYTES + 1;
  private static final int PROGRESS_BYTES = SWEPT_BYTES + Long.BYTES;

  /** Reads the value of a row. */
  public static Drop decode(Bytes key, Partition home, long space, byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value);
    long millis = bytes.getLong();
    boolean swept = value.length >= SWEPT_BYTES && bytes.get() == 1;
    Drop begun = new Drop(key, home, space, millis, swept, start(space), 0);
    if (value.length <= PROGRESS_BYTES) {
      return begun;
    }
    long rows = bytes.getLong();
    byte[] from = new byte[bytes.remaining()];
    bytes.get(from);
    return begun.at(Bytes.of(from), rows);
  }

  /** Returns the value of the row. */
  public byte[] encode() {
    ByteBuffer bytes =
        ByteBuffer.allocate(PROGRESS_BYTES + from.length())
            .putLong(millis)
            .put((byte) (swept ? 1 : 0));
    return bytes.putLong(rows).put(from.array()).array();
  }

  /** Returns the drop after more progress. */
  Drop at(Bytes newFrom, long newRows) {
    return new Drop(key, home, space, millis, swept, newFrom, newRows);
  }

  /** Returns the drop at the start of the second sweep. */
  Drop afterFirstSweep() {
    return new Drop(key, home, space, millis, true, start(space), 0);
  }

  KeyInterval interval() {
    return KeyInterval.ofSpace(space);
  }

  boolean isAtEnd() {
    return from.compareTo(interval().to()) >= 0;
  }

  private static Bytes start(long space) {
    return KeyInterval.ofSpace(space).from();
  }
}
