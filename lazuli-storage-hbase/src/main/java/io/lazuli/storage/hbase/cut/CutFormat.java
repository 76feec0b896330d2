package io.lazuli.storage.hbase.cut;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The small files of a cut: the boundaries of regions, and what is known about the store. */
final class CutFormat {
  private static final byte[] KEYS = {'L', 'Z', 'B', '1'};
  private static final byte[] STORE = {'L', 'Z', 'T', '1'};
  private static final int KEYS_MAX = 1_000_000;

  private CutFormat() {}

  /**
   * Writes boundaries.
   *
   * @param format the format of the store. It is in the first files of a cut, so that a restore can
   *     refuse them before it has written much
   */
  static ByteBuffer encodeKeys(List<byte[]> keys, int format) {
    int bytes = keys.stream().mapToInt(key -> Short.BYTES + key.length).sum();
    ByteBuffer out = ByteBuffer.allocate(KEYS.length + 2 * Integer.BYTES + bytes);
    out.put(KEYS).putInt(keys.size());
    for (byte[] key : keys) {
      out.putShort((short) key.length).put(key);
    }
    return out.putInt(format).flip();
  }

  /**
   * Boundaries of regions.
   *
   * @param format the format of the store; 0 if the cut was made by a version that did not store it
   */
  record Boundaries(byte[][] keys, int format) {}

  static Boundaries decodeKeys(InputStream from) throws IOException {
    DataInputStream in = new DataInputStream(from);
    require(in.readNBytes(KEYS.length), KEYS);
    int count = in.readInt();
    if (count < 0 || count > KEYS_MAX) {
      throw new IOException("the boundaries of regions are damaged");
    }
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[in.readUnsignedShort()];
      in.readFully(key);
      keys.add(key);
    }
    byte[] format = in.readNBytes(Integer.BYTES);
    return new Boundaries(
        keys.toArray(new byte[0][]),
        format.length < Integer.BYTES ? 0 : ByteBuffer.wrap(format).getInt());
  }

  static ByteBuffer encodeStore(long numbers, long ticks) {
    return ByteBuffer.allocate(STORE.length + 2 * Long.BYTES)
        .put(STORE)
        .putLong(numbers)
        .putLong(ticks)
        .flip();
  }

  /** Returns the first free number and the time. */
  static long[] decodeStore(InputStream from) throws IOException {
    DataInputStream in = new DataInputStream(from);
    require(in.readNBytes(STORE.length), STORE);
    return new long[] {in.readLong(), in.readLong()};
  }

  private static void require(byte[] found, byte[] magic) throws IOException {
    if (!Arrays.equals(found, magic)) {
      throw new IOException("the backup has a format that this version does not read");
    }
  }
}
