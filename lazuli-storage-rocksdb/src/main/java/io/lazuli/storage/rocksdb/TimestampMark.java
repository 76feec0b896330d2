package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Ticks;
import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The high-water mark of timestamps, kept on disk a second ahead of what was given, in the batch of
 * the first timestamp beyond it. So a restart goes on above everything that was ever given, also
 * when the clock went back. Mutable: belongs to the lane's thread.
 */
final class TimestampMark {
  /** Outside every space: the first byte of a space has its high bit set. */
  private static final byte[] KEY = {1};

  private long stored;
  private long highestGiven;

  private TimestampMark(long stored) {
    this.stored = stored;
    this.highestGiven = stored;
  }

  static TimestampMark load(NativeStore store) {
    byte[] value = new PointReader(store).read(Family.CATALOGUE, KEY);
    return new TimestampMark(value == null ? 0 : ByteBuffer.wrap(value).getLong());
  }

  /** At or above every timestamp that was given before the store was opened. */
  long stored() {
    return stored;
  }

  /** Notes a timestamp and hands it on. */
  long given(long timestamp) {
    highestGiven = timestamp;
    return timestamp;
  }

  boolean isDue() {
    return highestGiven > stored;
  }

  /** Moves the mark ahead; nothing may be acknowledged before the batch is written. */
  void addTo(WriteBatch batch, NativeStore store, RecordSeal seal) throws RocksDBException {
    stored = highestGiven + Ticks.PER_SECOND;
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(stored).array();
    batch.put(store.handle(Family.CATALOGUE), KEY, seal.seal(KEY, value));
  }
}
