package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Ticks;
import io.lazuli.storage.engine.EngineClock;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The stored high-water mark of the engine's time. The batch that contains the first timestamp
 * beyond the mark moves the mark one second ahead. So a restart continues above every timestamp
 * that was ever given, even if the clock was set back. Mutable: belongs to the lane's thread.
 */
final class TimestampMark {
  /**
   * The key of the record. It is outside every space, because the first byte of a space has its
   * high bit set.
   */
  private static final byte[] KEY = {1};

  private final EngineClock clock;
  private long stored;
  private boolean given;

  private TimestampMark(EngineClock clock, long stored) {
    this.clock = clock;
    this.stored = stored;
  }

  /** Loads the mark; the engine's clock continues from it. */
  static TimestampMark load(NativeStore store, LongSupplier ticks) {
    byte[] value = new PointReader(store).read(Family.CATALOGUE, KEY);
    long stored = value == null ? 0 : ByteBuffer.wrap(value).getLong();
    return new TimestampMark(new EngineClock(ticks, stored), stored);
  }

  /** Returns the engine's clock. */
  EngineClock clock() {
    return clock;
  }

  /** Returns a timestamp for the running drain. */
  long timestamp() {
    given = true;
    return clock.timestamp();
  }

  /** Returns true if a timestamp was given that the mark does not cover. */
  boolean isDue() {
    return given && isBehind();
  }

  /** Returns true if the mark does not cover the engine's time. */
  boolean isBehind() {
    return clock.highest() > stored;
  }

  /** Moves the mark ahead. Nothing may be acknowledged before the batch is written. */
  void addTo(WriteBatch batch, NativeStore store, RecordSeal seal) throws RocksDBException {
    given = false;
    stored = clock.highest() + Ticks.PER_SECOND;
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(stored).array();
    batch.put(store.handle(Family.CATALOGUE), KEY, seal.seal(KEY, value));
  }
}
