package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Ticks;
import io.lazuli.storage.engine.EngineClock;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The high-water mark of the engine's time, kept on disk a second ahead of what was given, in the
 * batch of the first timestamp beyond it. So a restart goes on above every timestamp that was ever
 * given, also when the clock went back. Mutable: belongs to the lane's thread.
 */
final class TimestampMark {
  /** Outside every space: the first byte of a space has its high bit set. */
  private static final byte[] KEY = {1};

  private final EngineClock clock;
  private long stored;
  private boolean given;

  private TimestampMark(EngineClock clock, long stored) {
    this.clock = clock;
    this.stored = stored;
  }

  /** Begins where the engine's time ended. */
  static TimestampMark load(NativeStore store, LongSupplier ticks) {
    byte[] value = new PointReader(store).read(Family.CATALOGUE, KEY);
    long stored = value == null ? 0 : ByteBuffer.wrap(value).getLong();
    return new TimestampMark(new EngineClock(ticks, stored), stored);
  }

  /** The engine's time. */
  EngineClock clock() {
    return clock;
  }

  /** A timestamp for the drain that runs now. */
  long timestamp() {
    given = true;
    return clock.timestamp();
  }

  /** True if a timestamp was given that the mark does not cover. */
  boolean isDue() {
    return given && isBehind();
  }

  /** True if the mark does not cover the engine's time. */
  boolean isBehind() {
    return clock.highest() > stored;
  }

  /** Moves the mark ahead; nothing may be acknowledged before the batch is written. */
  void addTo(WriteBatch batch, NativeStore store, RecordSeal seal) throws RocksDBException {
    given = false;
    stored = clock.highest() + Ticks.PER_SECOND;
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(stored).array();
    batch.put(store.handle(Family.CATALOGUE), KEY, seal.seal(KEY, value));
  }
}
