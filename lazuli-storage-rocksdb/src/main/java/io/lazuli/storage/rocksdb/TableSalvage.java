package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;

/**
 * Makes a family show the same records without its damaged tables, except for those that are lost.
 * Compares the family with and without them, and writes the differences.
 *
 * <p>In a damaged block there may be a newer version of any key of its range, or its deletion. So a
 * record in such a range that an older table shows counts as lost too, unless a read by its key
 * succeeds: RocksDB then found it in a newer table, or the filter of the damaged table excludes the
 * key. Mutable, used once.
 */
final class TableSalvage {
  private static final int CHANGES_PER_BATCH = 256;

  private final NativeStore with;
  private final NativeStore without;
  private final Family family;
  private final LostRecords lost;
  private final WriteBatch batch = new WriteBatch();

  TableSalvage(NativeStore with, NativeStore without, Family family, LostRecords lost) {
    this.with = with;
    this.without = without;
    this.family = family;
    this.lost = lost;
  }

  /** Compares the ranges of the damaged tables. */
  void run(List<LiveFileMetaData> damaged) throws RocksDBException {
    byte[] from = damaged.get(0).smallestKey();
    byte[] last = damaged.get(0).largestKey();
    for (LiveFileMetaData table : damaged) {
      from = Arrays.compareUnsigned(table.smallestKey(), from) < 0 ? table.smallestKey() : from;
      last = Arrays.compareUnsigned(table.largestKey(), last) > 0 ? table.largestKey() : last;
    }
    byte[] to = successor(last);
    try (batch;
        RecordCursor seen = new RecordCursor(with, family, from, to, false);
        RecordCursor left = new RecordCursor(without, family, from, to, false)) {
      left.seek(from);
      moveTo(seen, from, to, left, null);
      while (seen.isValid()) {
        byte[] key = seen.copyKey();
        deleteBefore(left, key);
        byte[] value = seen.copyStored();
        boolean same = left.isValid() && left.compareKey(key) == 0;
        if (!same || !Arrays.equals(left.copyStored(), value)) {
          put(key, value);
        }
        if (same) {
          left.next();
        }
        moveTo(seen, successor(key), to, left, seen);
      }
      deleteBefore(left, to);
      write();
    }
  }

  /**
   * Moves to the first readable record at or after a key, and resolves the damage on the way.
   *
   * @param stepping the cursor if it stands at the record before the key
   */
  private void moveTo(
      RecordCursor seen, byte[] from, byte[] to, RecordCursor left, @Nullable RecordCursor stepping)
      throws RocksDBException {
    byte[] next = from;
    StorageException damage = null;
    while (next != null) {
      try {
        if (stepping != null && damage == null) {
          stepping.next();
        } else {
          seen.seek(next);
        }
        break;
      } catch (StorageException e) {
        if (e.kind() != StorageException.Kind.CORRUPT) {
          throw e;
        }
        damage = e;
        next = new TableFiles(with).endOfDamage(e, next, to);
      }
    }
    if (damage != null) {
      deleteBefore(left, from);
      byte[] end = seen.isValid() ? seen.copyKey() : to;
      lost.addRange(family, from, end, String.valueOf(damage.getMessage()));
      resolve(left, end);
    }
  }

  /** Decides about the records in a range that cannot be read, one by one. */
  private void resolve(RecordCursor left, byte[] end) throws RocksDBException {
    while (left.isValid() && left.compareKey(end) < 0) {
      byte[] key = left.copyKey();
      byte[] value = left.copyStored();
      try {
        byte[] trusted = with.db().get(with.handle(family), key);
        if (trusted == null) {
          delete(key);
        } else if (!Arrays.equals(trusted, value)) {
          put(key, trusted);
        }
      } catch (RocksDBException e) {
        Status status = e.getStatus();
        if (status == null || status.getCode() != Status.Code.Corruption) {
          throw e;
        }
        lost.addRecord(family, key, value);
        delete(key);
      }
      left.next();
    }
  }

  /** Deletes the records that would appear although they were deleted. */
  private void deleteBefore(RecordCursor left, byte[] key) throws RocksDBException {
    while (left.isValid() && left.compareKey(key) < 0) {
      delete(left.copyKey());
      left.next();
    }
  }

  private void put(byte[] key, byte[] value) throws RocksDBException {
    batch.put(with.handle(family), key, value);
    writeIfFull();
  }

  private void delete(byte[] key) throws RocksDBException {
    batch.delete(with.handle(family), key);
    writeIfFull();
  }

  private void writeIfFull() throws RocksDBException {
    if (batch.count() >= CHANGES_PER_BATCH) {
      write();
    }
  }

  private void write() throws RocksDBException {
    lost.sync();
    with.db().write(with.durableWrites(), batch);
    batch.clear();
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
