package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys of the index of tags. A tag with a value is a partition; its name is {@code ff T}, the
 * key of the tag, {@code 00} and the value. Keys and values are ASCII without control characters,
 * so partitions of a key are in the order of its values. Each blob with that tag has a row: its
 * name, {@code 00} and the stamp of the write that gave it its tags (8 bytes). Names have no
 * control characters either, so rows are in the order of names.
 */
public final class TagIndexRows {
  /** The value of every row: the version of its format. */
  public static final byte FORMAT = 1;

  /** The length of the longest name in UTF-8, with the byte that may follow it in a position. */
  public static final int NAME_BYTES_MAX = 3 * BlobLimits.NAME_LENGTH_MAX + 1;

  private static final int STAMP_BYTES = 1 + Long.BYTES;

  private TagIndexRows() {}

  /** Returns the partition of a tag with a value. */
  public static Bytes partition(String key, String value) {
    return IndexPartitions.named('T', key + "\0" + value);
  }

  /** Returns the position before all values of a key. */
  public static Position start(String key) {
    return Position.startOf(partition(key, ""));
  }

  /** Returns the position after all values of a key. */
  public static Position end(String key) {
    return Position.startOf(IndexPartitions.named('T', key + "\1"));
  }

  /** Returns the value of a tag whose key and partition are given. */
  public static String value(String key, byte[] partition) {
    int from = IndexPartitions.named('T', key).length() + 1;
    return new String(partition, from, partition.length - from, StandardCharsets.US_ASCII);
  }

  public static Bytes row(Bytes name, long stamp) {
    return Bytes.of(
        ByteBuffer.allocate(name.length() + STAMP_BYTES)
            .put(name.array())
            .put((byte) 0)
            .putLong(stamp)
            .array());
  }

  /** Returns the name of the blob that a row belongs to. */
  public static Bytes name(byte[] row) {
    return Bytes.of(Arrays.copyOf(row, row.length - STAMP_BYTES));
  }

  public static long stamp(byte[] row) {
    return ByteBuffer.wrap(row).getLong(row.length - Long.BYTES);
  }

  /** Returns the key that comes after all rows of a name, and before those of all later names. */
  public static Bytes after(Bytes name) {
    byte[] key = Arrays.copyOf(name.array(), name.length() + 1);
    key[name.length()] = 1;
    return Bytes.of(key);
  }
}
