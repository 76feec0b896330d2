package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A recorded drop: a row of the home partition that begins with a zero byte, so that only the
 * engine sees it. Row = {@code 00} · {@code 64} · number of the space in eight bytes; value = the
 * time of the drop in eight bytes.
 *
 * @param space the number of the dropped space
 * @param key the encoded key of the row
 * @param ticks the time when the space was dropped
 */
record Drop(long space, Bytes key, long ticks) {
  /** The maximum number of drops that an engine keeps in memory. A later start finds the others. */
  static final int KNOWN_MAX = 1_000_000;

  private static final byte MARK = 'd';
  private static final int ROW_BYTES = 10;

  static Drop of(Partition home, Space space, long ticks) {
    byte[] row =
        ByteBuffer.allocate(ROW_BYTES).put((byte) 0).put(MARK).putLong(space.number()).array();
    return new Drop(space.number(), Bytes.of(KeyCodec.encode(home.row(Bytes.of(row)))), ticks);
  }

  byte[] value() {
    return ByteBuffer.allocate(Long.BYTES).putLong(ticks).array();
  }

  /**
   * Finds every recorded drop. It skips from one catalogue partition to the next, so that the cost
   * depends on the number of partitions and not on the names in them.
   */
  static List<Drop> findAll(NativeStore store) {
    List<Drop> drops = new ArrayList<>();
    long catalogue = Space.CATALOGUE.number();
    try (RecordCursor cursor =
        new RecordCursor(
            store,
            Family.CATALOGUE,
            KeyCodec.spaceStart(catalogue),
            KeyCodec.spaceEnd(catalogue),
            true)) {
      cursor.seek(KeyCodec.spaceStart(catalogue));
      while (cursor.isValid() && drops.size() < KNOWN_MAX) {
        byte[] partition = cursor.copyPartition();
        cursor.seek(with(partition, (byte) 0));
        while (cursor.isValid() && drops.size() < KNOWN_MAX && isOwnRow(cursor, partition)) {
          drops.add(read(cursor));
          cursor.next();
        }
        // The rows follow the 00 that ends the name; the same key with 01 comes after all of them.
        partition[partition.length - 1] = 1;
        cursor.seek(partition);
      }
    }
    return drops;
  }

  private static boolean isOwnRow(RecordCursor cursor, byte[] partition) {
    return cursor.keyStartsWith(partition)
        && cursor.keyLength() > partition.length
        && cursor.key()[partition.length] == 0;
  }

  private static Drop read(RecordCursor cursor) {
    byte[] key = cursor.copyKey();
    long space = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    return new Drop(space, Bytes.of(key), ByteBuffer.wrap(cursor.copyValue()).getLong());
  }

  private static byte[] with(byte[] prefix, byte last) {
    return ByteBuffer.allocate(prefix.length + 1).put(prefix).put(last).array();
  }
}
