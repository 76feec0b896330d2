package io.lazuli.storage.rocksdb;

import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.keys.KeyCodec;
import org.jspecify.annotations.Nullable;

/** Finds the spaces that have records, by seeking from one to the next. */
final class StoredSpaces {
  private static final SpaceKind[] KINDS = SpaceKind.values();

  private StoredSpaces() {}

  /** Returns the first space above a number that has records that can be read; -1 if none. */
  static long after(NativeStore store, long number) {
    for (SpaceKind kind : KINDS) {
      long first = (long) kind.code() << 60;
      long next = Math.max(first, number + 1);
      if (kind != SpaceKind.CATALOGUE && next >>> 60 == kind.code()) {
        byte[] key = firstKey(store, Family.ofNumber(first), next, first + (1L << 60));
        if (key != null) {
          return KeyCodec.space(key);
        }
      }
    }
    return -1;
  }

  private static byte @Nullable [] firstKey(
      NativeStore store, Family family, long from, long endSpace) {
    byte[] end = KeyCodec.spaceStart(endSpace);
    byte[] next = KeyCodec.spaceStart(from);
    try (RecordCursor cursor = new RecordCursor(store, family, next, end, false)) {
      while (next != null) {
        try {
          cursor.seek(next);
          return cursor.isValid() ? cursor.copyKey() : null;
        } catch (StorageException e) {
          if (e.kind() != StorageException.Kind.CORRUPT) {
            throw e;
          }
          next = new TableFiles(store).endOfDamage(e, next, end);
        }
      }
      return null;
    }
  }
}
