package io.lazuli.storage.rocksdb;

import io.lazuli.storage.keys.KeyCodec;

/** Looks into RocksDB itself, without the engine. */
final class Stored {
  private Stored() {}

  /** Returns the number of stored records of a space, whether it was dropped or not. */
  static long records(NativeStore store, long space) {
    byte[] from = KeyCodec.spaceStart(space);
    long count = 0;
    try (RecordCursor cursor =
        new RecordCursor(store, Family.ofNumber(space), from, KeyCodec.spaceEnd(space), false)) {
      for (cursor.seek(from); cursor.isValid(); cursor.next()) {
        count++;
      }
    }
    return count;
  }
}
