package io.lazuli.server.blob.encoding;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys of the two indexes of tags. A tag with a value is a partition; its name is {@code ff},
 * the letter of the index, the key of the tag, {@code 00} and the value. Keys and values are ASCII
 * without control characters, so partitions of a key are in the order of its values.
 *
 * <p>Each blob or version with that tag has a row: its entry, {@code 00} and the stamp of the write
 * that gave it its tags (8 bytes). The entry of a blob is its name. The entry of a previous version
 * is the name, {@code 00} and the ticks that name the version (8 bytes). Names have no control
 * characters either, so rows are in the order of names, and then of versions.
 */
public enum TagIndexRows {
  /** The tags of blobs as they are now. */
  CURRENT('T', 0),
  /** The tags of previous versions. */
  VERSIONS('V', 1 + Long.BYTES);

  /** The value of every row: the version of its format. */
  public static final byte FORMAT = 1;

  private static final int STAMP_BYTES = 1 + Long.BYTES;

  private final char letter;
  private final int versionBytes;

  TagIndexRows(char letter, int versionBytes) {
    this.letter = letter;
    this.versionBytes = versionBytes;
  }

  /** Returns the partition of a tag with a value. */
  public Bytes partition(String key, String value) {
    return IndexPartitions.named(letter, key + "\0" + value);
  }

  /** Returns the position before all values of a key. */
  public Position start(String key) {
    return Position.startOf(partition(key, ""));
  }

  /** Returns the position after all values of a key. */
  public Position end(String key) {
    return Position.startOf(IndexPartitions.named(letter, key + "\1"));
  }

  /** Returns the value of a tag whose key and partition are given. */
  public String value(String key, byte[] partition) {
    int from = IndexPartitions.named(letter, key).length() + 1;
    return new String(partition, from, partition.length - from, StandardCharsets.US_ASCII);
  }

  /** Returns the name of the blob that an entry belongs to. */
  public Bytes name(Bytes entry) {
    return versionBytes == 0
        ? entry
        : Bytes.of(Arrays.copyOf(entry.array(), entry.length() - versionBytes));
  }

  /** Returns the ticks of the version that an entry belongs to; 0 for the blob itself. */
  public long version(Bytes entry) {
    return versionBytes == 0
        ? 0
        : ByteBuffer.wrap(entry.array()).getLong(entry.length() - Long.BYTES);
  }

  /**
   * Returns the place of an entry in the order of both indexes: the versions of a blob, oldest
   * first, then the blob itself.
   */
  public Bytes place(Bytes entry) {
    return this == CURRENT ? versionEntry(entry, Long.MAX_VALUE) : entry;
  }

  /** Returns the first row of this index that can be at a place, or after it. */
  public Bytes firstAt(Bytes place) {
    int end = 0;
    while (end < place.length() && place.array()[end] != 0) {
      end++;
    }
    return this == CURRENT ? Bytes.of(Arrays.copyOf(place.array(), end)) : place;
  }

  static Bytes versionEntry(Bytes name, long ticks) {
    return joined(name, ticks);
  }

  public static Bytes row(Bytes entry, long stamp) {
    return joined(entry, stamp);
  }

  /** Returns the entry that a row belongs to. */
  public static Bytes entry(byte[] row) {
    return Bytes.of(Arrays.copyOf(row, row.length - STAMP_BYTES));
  }

  public static long stamp(byte[] row) {
    return ByteBuffer.wrap(row).getLong(row.length - Long.BYTES);
  }

  /** Returns the key that comes after all rows of an entry, and before those of later entries. */
  public static Bytes after(Bytes entry) {
    byte[] key = Arrays.copyOf(entry.array(), entry.length() + 1);
    key[entry.length()] = 1;
    return Bytes.of(key);
  }

  private static Bytes joined(Bytes first, long number) {
    return Bytes.of(
        ByteBuffer.allocate(first.length() + STAMP_BYTES)
            .put(first.array())
            .put((byte) 0)
            .putLong(number)
            .array());
  }
}
