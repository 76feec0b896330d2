package io.lazuli.benchmarks.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * A body of random bytes with room for a head before it, so that a request of any size is one
 * buffer and only its head is written again. The buffer is outside the heap, because a channel
 * copies a heap buffer for every partial write. Mutable; one per connection.
 */
public final class Payload {
  private static final int HEAD_ROOM = 2 << 10;
  private static final long SEED = 42;

  private final ByteBuffer buffer;

  public Payload(int length) {
    byte[] bytes = new byte[length];
    new Random(SEED).nextBytes(bytes);
    buffer = ByteBuffer.allocateDirect(HEAD_ROOM + length).put(HEAD_ROOM, bytes);
  }

  public int length() {
    return buffer.capacity() - HEAD_ROOM;
  }

  /** Returns only the body. */
  public ByteBuffer body() {
    return buffer.duplicate().position(HEAD_ROOM);
  }

  /** Returns the head followed by the body. All results share the same memory. */
  ByteBuffer after(String head) {
    byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
    int start = HEAD_ROOM - bytes.length;
    return buffer.duplicate().put(start, bytes).position(start);
  }
}
