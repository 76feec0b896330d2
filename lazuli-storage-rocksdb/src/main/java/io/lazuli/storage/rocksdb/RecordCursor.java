package io.lazuli.storage.rocksdb;

import io.lazuli.storage.keys.KeyCodec;
import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * Moves over the records of one family between two keys, in both directions, and checks the seal of
 * each value that it lends. It shows the store as it was when the cursor was made or, after {@link
 * #stopFillingCache}, as it was at that call. Mutable: belongs to one thread, which closes it.
 *
 * <p>Keys and values are copied into two arrays that are reused for each record. Measured on
 * 500,000 records of 400 bytes in the block cache, in million records per CPU second: these arrays
 * 5.4, direct buffers 4.3, direct buffers copied to arrays 3.9, a new array each time 3.4.
 */
final class RecordCursor implements AutoCloseable {
  private static final byte[] NOTHING = new byte[0];
  private static final int KEY_BYTES = 256;
  private static final int VALUE_BYTES = 4 << 10;

  private final Slice lower;
  private final Slice upper;
  private final ReadOptions options;
  private final NativeStore store;
  private final Family family;
  private RocksIterator iterator;
  private final RecordSeal seal = new RecordSeal();
  private byte[] key = new byte[KEY_BYTES];
  private int keyLength;
  private byte[] value = new byte[VALUE_BYTES];
  private boolean valid;

  /**
   * Makes a cursor that is not positioned yet.
   *
   * @param from the lowest key, inclusive
   * @param to the upper bound, exclusive
   * @param cached true if reads fill the block cache
   */
  RecordCursor(NativeStore store, Family family, byte[] from, byte[] to, boolean cached) {
    this.store = store;
    this.family = family;
    lower = new Slice(from);
    upper = new Slice(to);
    options =
        new ReadOptions()
            .setIterateLowerBound(lower)
            .setIterateUpperBound(upper)
            .setFillCache(cached);
    iterator = store.db().newIterator(store.handle(family), options);
  }

  /**
   * Continues without filling the block cache. From here on the cursor shows the store as it is
   * now, without records that were deleted in between.
   */
  void stopFillingCache() {
    options.setFillCache(false);
    byte[] current = copyKey();
    iterator.close();
    iterator = store.db().newIterator(store.handle(family), options);
    seek(current);
  }

  /** Returns true while the cursor is at a record. */
  boolean isValid() {
    return valid;
  }

  /** Moves to the first record at or after the key. */
  void seek(byte[] target) {
    iterator.seek(target);
    load();
  }

  /** Moves to the last record at or before the key. */
  void seekForPrev(byte[] target) {
    iterator.seekForPrev(target);
    load();
  }

  void next() {
    iterator.next();
    load();
  }

  void prev() {
    iterator.prev();
    load();
  }

  /** Returns the encoded key, in the first {@link #keyLength} bytes; lent until the next move. */
  byte[] key() {
    return key;
  }

  int keyLength() {
    return keyLength;
  }

  byte[] copyKey() {
    return Arrays.copyOf(key, keyLength);
  }

  /** Returns the key up to and including the zero byte that ends its partition. */
  byte[] copyPartition() {
    return Arrays.copyOf(key, KeyCodec.partitionEnd(key, keyLength) + 1);
  }

  boolean keyStartsWith(byte[] prefix) {
    return keyLength >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Compares the record's key with another key. */
  int compareKey(byte[] other) {
    return Arrays.compareUnsigned(key, 0, keyLength, other, 0, other.length);
  }

  /**
   * Loads and checks the value, which is in the first bytes of {@link #value} until the next move.
   *
   * @return its length
   */
  int loadValue() {
    int size = iterator.value(value);
    if (size > value.length) {
      value = new byte[grown(size)];
      size = iterator.value(value);
    }
    return seal.check(key, keyLength, value, size, store.damage());
  }

  /** Returns the stored length of the value without loading it. */
  int valueLength() {
    return iterator.value(NOTHING);
  }

  byte[] value() {
    return value;
  }

  byte[] copyValue() {
    int length = loadValue();
    return Arrays.copyOf(value, length);
  }

  /** Returns the value as it is stored, with its checksum, whether it passes or not. */
  byte[] copyStored() {
    return iterator.value();
  }

  @Override
  public void close() {
    iterator.close();
    options.close();
    upper.close();
    lower.close();
  }

  private void load() {
    valid = iterator.isValid();
    if (valid) {
      keyLength = iterator.key(key);
      if (keyLength > key.length) {
        key = new byte[grown(keyLength)];
        keyLength = iterator.key(key);
      }
    } else {
      requireEnd();
    }
  }

  /** Throws if the iterator stopped because of an error and not because it reached the end. */
  private void requireEnd() {
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw store.failedRead(e);
    }
  }

  private static int grown(int needed) {
    return needed + (needed >> 1);
  }
}
