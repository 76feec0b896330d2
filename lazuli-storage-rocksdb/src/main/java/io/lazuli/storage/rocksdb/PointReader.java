package io.lazuli.storage.rocksdb;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Reads single records into a reused buffer and checks their seals. Mutable: belongs to one thread.
 */
final class PointReader {
  private static final byte[] NOTHING = new byte[0];
  private static final int BUFFER_BYTES = 4 << 10;

  /** The largest buffer that is kept for the next read. */
  private static final int BUFFER_BYTES_MAX = 64 << 10;

  private final NativeStore store;
  private final RecordSeal seal = new RecordSeal();
  private byte[] buffer = new byte[BUFFER_BYTES];

  PointReader(NativeStore store) {
    this.store = store;
  }

  /** Returns the value of an encoded key, owned by the caller; null if there is none. */
  byte @Nullable [] read(Family family, byte[] key) {
    byte[] target = buffer;
    int size = load(family, key, target);
    while (size > target.length) {
      // The value was longer than the buffer, and it may have grown by the time it is read again.
      target = new byte[size];
      size = load(family, key, target);
    }
    if (target.length <= BUFFER_BYTES_MAX) {
      buffer = target;
    }
    if (size == RocksDB.NOT_FOUND) {
      return null;
    }
    return Arrays.copyOf(target, seal.check(key, key.length, target, size, store.damage()));
  }

  /** Brings a record into the cache without copying it. */
  void touch(Family family, byte[] key) {
    load(family, key, NOTHING);
  }

  private int load(Family family, byte[] key, byte[] target) {
    try {
      return store.db().get(store.handle(family), store.pointReads(), key, target);
    } catch (RocksDBException e) {
      throw store.failedRead(e);
    }
  }
}
