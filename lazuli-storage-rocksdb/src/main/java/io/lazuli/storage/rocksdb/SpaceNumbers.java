package io.lazuli.storage.rocksdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.rocksdb.log.LogWriter;
import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Assigns numbers to spaces. Numbers are reserved on disk in blocks before the first of a block is
 * assigned, so no number is ever assigned twice. A restart leaves the rest of its block unused.
 * Thread-safe.
 */
final class SpaceNumbers {
  private static final int BLOCK = 1024;

  /**
   * The key of the record. It is outside every space, because the first byte of a space has its
   * high bit set.
   */
  private static final byte[] KEY = {2};

  private final NativeStore store;
  private final LogWriter log;

  @GuardedBy("this")
  private long next;

  @GuardedBy("this")
  private long reservedEnd;

  private SpaceNumbers(NativeStore store, LogWriter log, long next) {
    this.store = store;
    this.log = log;
    this.next = next;
    this.reservedEnd = next;
  }

  static SpaceNumbers load(NativeStore store, LogWriter log) {
    byte[] value = new PointReader(store).read(Family.CATALOGUE, KEY);
    // The first counter is 1, because the catalogue itself has counter 0.
    return new SpaceNumbers(store, log, value == null ? 1 : ByteBuffer.wrap(value).getLong());
  }

  /** Throws if the record is damaged. */
  static void check(NativeStore store) {
    byte[] unused = new PointReader(store).read(Family.CATALOGUE, KEY);
  }

  /**
   * Returns the next number. One call in a thousand waits for the disk, and concurrent calls wait
   * with it.
   */
  synchronized long next(SpaceKind kind) {
    if (next == reservedEnd) {
      reserve(next + BLOCK);
    }
    return Space.number(kind, next++);
  }

  @GuardedBy("this")
  private void reserve(long end) {
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(end).array();
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(store.handle(Family.CATALOGUE), KEY, new RecordSeal().seal(KEY, value));
      log.write(batch);
      reservedEnd = end;
    } catch (RocksDBException e) {
      // Whether the block is reserved or not, none of its numbers was assigned.
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "no space could be reserved: " + e.getMessage(), e);
    }
  }
}
