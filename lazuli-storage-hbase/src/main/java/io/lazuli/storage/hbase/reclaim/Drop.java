package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;

/**
 * A drop as its home records it: when it was, and how far the records of the space are removed. The
 * value of its row is the time, then, once there is something to say, a byte that tells whether
 * this is the second look, a count and a key.
 *
 * @param key of its row in the catalogue
 * @param millis when the space was dropped, by the cluster's clock
 * @param swept true if its records were removed once
 * @param from no record lies before this key, as far as this look knows
 * @param rows how many were deleted one by one in the region of that key
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

  /** The value of the row. */
  public byte[] encode() {
    ByteBuffer bytes =
        ByteBuffer.allocate(PROGRESS_BYTES + from.length())
            .putLong(millis)
            .put((byte) (swept ? 1 : 0));
    return bytes.putLong(rows).put(from.array()).array();
  }

  /** The same, further on. */
  Drop at(Bytes newFrom, long newRows) {
    return new Drop(key, home, space, millis, swept, newFrom, newRows);
  }

  /** The same after the first look, at the beginning of the second. */
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
