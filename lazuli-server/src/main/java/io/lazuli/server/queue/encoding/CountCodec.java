package io.lazuli.server.queue.encoding;

import java.nio.ByteBuffer;

/** The stored form of a count: format version (1 byte), a signed number (8). */
public final class CountCodec {
  private static final byte VERSION = 1;

  private CountCodec() {}

  public static byte[] encode(long count) {
    return ByteBuffer.allocate(1 + Long.BYTES).put(VERSION).putLong(count).array();
  }

  public static long decode(byte[] bytes) {
    if (bytes[0] != VERSION) {
      throw new IllegalStateException("unknown format of a count: " + bytes[0]);
    }
    return ByteBuffer.wrap(bytes).getLong(1);
  }
}
