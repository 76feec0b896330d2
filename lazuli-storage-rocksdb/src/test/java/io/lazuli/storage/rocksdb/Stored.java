package io.lazuli.storage.rocksdb;

import io.lazuli.storage.keys.KeyCodec;

/** What RocksDB itself holds, whatever the engine says. */
final class Stored {
  private Stored() {}

  /** How many records of a space are there, dropped or not. */
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
