package io.lazuli.storage.segment;

import io.lazuli.storage.keys.KeyCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Divides the records of a table, in the order of their keys, into segments. A segment ends before
 * a key that chance chooses by its hash, so the same keys end segments of the next cut, wherever
 * records were added in between: a segment whose records did not change has the same bytes, and a
 * backup does not store it again. The chance of a key grows with the length of its record, so that
 * segments of small and of large records have about the same length. Mutable, used by one thread.
 */
public final class Segments {
  /** The first bytes of every segment. */
  static final byte[] MAGIC = {'L', 'Z', 'S', '1'};

  /** No segment but the last one of a table is shorter. */
  static final int BYTES_MIN = 256 << 10;

  /** The mean of the bytes that follow the first {@link #BYTES_MIN}. */
  static final int BYTES_MEAN = 1 << 20;

  /** No segment is longer, unless it has only one record. */
  public static final int BYTES_MAX = 8 << 20;

  /** Takes one segment after another. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes a segment.
     *
     * @param firstKey the key of its first record
     * @param bytes valid until the method returns
     */
    void visit(byte[] firstKey, ByteBuffer bytes) throws IOException;
  }

  private final Visitor visitor;
  private byte[] buffer = new byte[BYTES_MIN];
  private int length;
  private byte[] firstKey = new byte[0];

  public Segments(Visitor visitor) {
    this.visitor = visitor;
  }

  /** Adds a record, whose key is above all others. */
  public void add(SegmentRow row) throws IOException {
    int bytes = row.bytes();
    if (length > 0 && (length + bytes > BYTES_MAX || (length >= BYTES_MIN && ends(row, bytes)))) {
      flush();
    }
    if (length == 0) {
      firstKey = row.key();
      append(MAGIC);
    }
    reserve(bytes);
    ByteBuffer.wrap(buffer, length, bytes)
        .putInt(row.key().length)
        .putInt(row.value().length)
        .putLong(row.millis())
        .putLong(row.version())
        .putLong(row.writeId())
        .put(row.key())
        .put(row.value());
    length += bytes;
  }

  /** Ends the last segment. */
  public void end() throws IOException {
    if (length > 0) {
      flush();
    }
  }

  private void flush() throws IOException {
    visitor.visit(firstKey, ByteBuffer.wrap(buffer, 0, length).asReadOnlyBuffer());
    length = 0;
    if (buffer.length > BYTES_MAX) {
      buffer = new byte[BYTES_MIN];
    }
  }

  private static boolean ends(SegmentRow row, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(row.key());
    // A checksum keeps some order of similar keys; the multiplication spreads it.
    long hash = (crc.getValue() * 0x9E3779B97F4A7C15L) >>> 32;
    return hash < ((long) bytes << 32) / BYTES_MEAN;
  }

  private void append(byte[] bytes) {
    reserve(bytes.length);
    System.arraycopy(bytes, 0, buffer, length, bytes.length);
    length += bytes.length;
  }

  private void reserve(int more) {
    if (length + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(length + more, 2 * buffer.length));
    }
  }

  /** Returns the space of an encoded key. */
  static long space(byte[] key) {
    return KeyCodec.space(key);
  }
}
