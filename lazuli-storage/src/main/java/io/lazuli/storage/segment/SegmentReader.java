package io.lazuli.storage.segment;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the records of a segment one by one. Used by one thread. */
public final class SegmentReader {
  /** A longer key or value is damage. Engines refuse records that are as long. */
  private static final int PART_BYTES_MAX = 64 << 20;

  private final DataInputStream in;

  /**
   * @param in should be buffered; the caller closes it
   * @throws IOException if these are not the bytes of a segment
   */
  public SegmentReader(InputStream in) throws IOException {
    this.in = new DataInputStream(in);
    if (!Arrays.equals(this.in.readNBytes(Segments.MAGIC.length), Segments.MAGIC)) {
      throw new IOException("not a segment of records");
    }
  }

  /** Returns the next record; null at the end. */
  public @Nullable SegmentRow next() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int keyLength = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int valueLength = in.readInt();
    if (keyLength < 0
        || valueLength < 0
        || keyLength > PART_BYTES_MAX
        || valueLength > PART_BYTES_MAX) {
      throw new IOException("a segment of records is damaged");
    }
    long millis = in.readLong();
    long version = in.readLong();
    long writeId = in.readLong();
    return new SegmentRow(exactly(keyLength), millis, version, writeId, exactly(valueLength));
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length != length) {
      throw new EOFException("a segment of records ends too early");
    }
    return bytes;
  }
}
