package io.lazuli.storage.keys;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the key of a record: space · partition · {@code 00} · row.
 *
 * <p>The space is nine bytes: its 63 bits in groups of seven, the high bit set in each, so that no
 * byte of it is {@code 00} or {@code 01}. Partition bytes are escaped, {@code 00} as {@code 01 01}
 * and {@code 01} as {@code 01 02}: the first {@code 00} of a key therefore ends the partition,
 * which lets a cluster keep a partition in one region. Row bytes are raw. Byte order on disk is the
 * order of (space number, partition, row).
 */
public final class KeyCodec {
  /** Length of an encoded space number. */
  public static final int SPACE_BYTES = 9;

  private static final byte END = 0;
  private static final byte ESCAPE = 1;

  private KeyCodec() {}

  public static byte[] encode(RecordKey key) {
    return encode(key.partition().space().number(), key.partition().name(), key.row());
  }

  public static byte[] encode(long space, Position position) {
    return encode(space, position.partition(), position.row());
  }

  /** Returns the encoded key of one row. */
  public static byte[] encode(long space, Bytes partition, Bytes row) {
    byte[] name = partition.array();
    int escapes = 0;
    for (byte b : name) {
      if (b == END || b == ESCAPE) {
        escapes++;
      }
    }
    byte[] key = new byte[SPACE_BYTES + name.length + escapes + 1 + row.length()];
    putSpace(space, key);
    int at = SPACE_BYTES;
    if (escapes == 0) {
      System.arraycopy(name, 0, key, at, name.length);
      at += name.length;
    } else {
      for (byte b : name) {
        if (b == END || b == ESCAPE) {
          key[at++] = ESCAPE;
          key[at++] = (byte) (b + 1);
        } else {
          key[at++] = b;
        }
      }
    }
    key[at++] = END;
    System.arraycopy(row.array(), 0, key, at, row.length());
    return key;
  }

  /** Returns the first key of a space. */
  public static byte[] spaceStart(long space) {
    byte[] key = new byte[SPACE_BYTES];
    putSpace(space, key);
    return key;
  }

  /** Returns the first key after a space. */
  public static byte[] spaceEnd(long space) {
    if (space == Long.MAX_VALUE) {
      throw new IllegalArgumentException("there is no space after the last one");
    }
    return spaceStart(space + 1);
  }

  public static long space(byte[] key) {
    long space = 0;
    for (int i = 0; i < SPACE_BYTES; i++) {
      space = space << 7 | (key[i] & 0x7f);
    }
    return space;
  }

  /**
   * Returns the end of the partition in an encoded key, which is the index of its first zero byte.
   */
  public static int partitionEnd(byte[] key, int length) {
    for (int i = SPACE_BYTES; i < length; i++) {
      if (key[i] == END) {
        return i;
      }
    }
    throw new IllegalArgumentException("not a record key");
  }

  /**
   * Lends the partition and the row of an encoded key. Copies the partition only if it was escaped.
   */
  public static void lend(byte[] key, int length, LentBytes partition, LentBytes row) {
    int end = partitionEnd(key, length);
    byte[] unescaped = unescape(key, end);
    if (unescaped == key) {
      partition.lend(key, SPACE_BYTES, end - SPACE_BYTES);
    } else {
      partition.lend(unescaped, 0, unescaped.length);
    }
    row.lend(key, end + 1, length - end - 1);
  }

  /**
   * Returns the position of a key, or of a border between two regions, which may end with its
   * partition. Returns null if the bytes are neither, because anybody can split a region anywhere.
   */
  public static @Nullable Position position(byte[] key) {
    int end = SPACE_BYTES;
    while (end < key.length && key[end] != END) {
      boolean escape = key[end] == ESCAPE;
      if (escape && (end + 1 == key.length || (key[end + 1] != 1 && key[end + 1] != 2))) {
        return null;
      }
      end += escape ? 2 : 1;
    }
    if (key.length < SPACE_BYTES) {
      return null;
    }
    byte[] name = unescape(key, end);
    Bytes partition = Bytes.of(name == key ? Arrays.copyOfRange(key, SPACE_BYTES, end) : name);
    boolean hasRow = end < key.length;
    return new Position(
        partition, hasRow ? Bytes.of(Arrays.copyOfRange(key, end + 1, key.length)) : Bytes.EMPTY);
  }

  private static byte[] unescape(byte[] key, int end) {
    int at = SPACE_BYTES;
    while (at < end && key[at] != ESCAPE) {
      at++;
    }
    if (at == end) {
      return key;
    }
    byte[] name = new byte[end - SPACE_BYTES];
    int length = 0;
    for (at = SPACE_BYTES; at < end; at++) {
      name[length++] = key[at] == ESCAPE ? (byte) (key[++at] - 1) : key[at];
    }
    return Arrays.copyOf(name, length);
  }

  private static void putSpace(long space, byte[] key) {
    for (int i = 0; i < SPACE_BYTES; i++) {
      key[i] = (byte) (space >>> (7 * (SPACE_BYTES - 1 - i)) | 0x80);
    }
  }
}
