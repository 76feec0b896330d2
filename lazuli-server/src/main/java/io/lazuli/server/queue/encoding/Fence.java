package io.lazuli.server.queue.encoding;

import java.nio.ByteBuffer;

/**
 * The stored row that keeps the servers of a cluster from passing over messages. It holds three
 * times in ticks. The stored form is: format version (1 byte), the three times (8 each).
 *
 * @param time no message will become visible or expire before this time any more, unless it is
 *     stored already: whoever stores a message must read this row by its key, and choose a later
 *     time
 * @param visibleFrom no message is left that became visible before this time; not above {@code
 *     time}
 * @param expiringFrom no message is left that expired before this time; not above {@code time}
 */
public record Fence(long time, long visibleFrom, long expiringFrom) {
  /** The fence of a queue that has no such row. */
  public static final Fence NONE = new Fence(0, 0, 0);

  /**
   * The fence of a queue into which a restore copies rows of any time: until the copy is complete,
   * no server may raise it.
   */
  public static final Fence HELD = new Fence(-1, 0, 0);

  private static final byte VERSION = 1;

  public boolean isHeld() {
    return time < 0;
  }

  /** Returns the fence with marks that are at least as high as the given ones, up to its time. */
  public Fence withMarks(long visible, long expiring) {
    return new Fence(
        time,
        Math.min(time, Math.max(visibleFrom, visible)),
        Math.min(time, Math.max(expiringFrom, expiring)));
  }

  public byte[] encode() {
    return ByteBuffer.allocate(1 + 3 * Long.BYTES)
        .put(VERSION)
        .putLong(time)
        .putLong(visibleFrom)
        .putLong(expiringFrom)
        .array();
  }

  public static Fence decode(byte[] bytes) {
    if (bytes[0] != VERSION) {
      throw new IllegalStateException("unknown format of a fence: " + bytes[0]);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, 3 * Long.BYTES);
    return new Fence(in.getLong(), in.getLong(), in.getLong());
  }
}
