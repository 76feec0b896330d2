package io.lazuli.storage.segment;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What precedes the bytes of a chunk in its file: what the engine stores about the chunk.
 *
 * @param millis the time that the store kept with the header
 * @param header the header as the engine stores it
 */
public record ChunkHead(long millis, byte[] header) {
  private static final byte[] MAGIC = {'L', 'Z', 'C', '1'};
  private static final int HEADER_BYTES_MAX = 1 << 20;

  public byte[] encode() {
    return ByteBuffer.allocate(length())
        .put(MAGIC)
        .putLong(millis)
        .putInt(header.length)
        .put(header)
        .array();
  }

  /** Returns the number of bytes before the first byte of the chunk. */
  public int length() {
    return MAGIC.length + Long.BYTES + Integer.BYTES + header.length;
  }

  /**
   * Reads the head; the bytes of the chunk follow.
   *
   * @throws IOException if this is not the file of a chunk
   */
  public static ChunkHead read(InputStream from) throws IOException {
    DataInputStream in = new DataInputStream(from);
    if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
      throw new IOException("not the file of a chunk");
    }
    long millis = in.readLong();
    int length = in.readInt();
    if (length < 0 || length > HEADER_BYTES_MAX) {
      throw new IOException("the file of a chunk is damaged");
    }
    byte[] header = new byte[length];
    in.readFully(header);
    return new ChunkHead(millis, header);
  }
}
