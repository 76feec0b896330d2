package io.lazuli.server.queue.encoding;

import io.lazuli.server.queue.model.QueueMessage;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The stored form of a message: format version (1 byte), times of insertion, expiry and visibility
 * in ticks (8 each), change number (4), dequeue count (4), the text in UTF-8.
 */
public final class MessageCodec {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + 3 * Long.BYTES + 2 * Integer.BYTES;

  private MessageCodec() {}

  public static byte[] encode(QueueMessage message) {
    return ByteBuffer.allocate(HEAD_BYTES + message.text().length)
        .put(VERSION)
        .putLong(message.inserted())
        .putLong(message.expires())
        .putLong(message.visibleAt())
        .putInt(message.change())
        .putInt(message.dequeueCount())
        .put(message.text())
        .array();
  }

  /** Returns the bytes of a message's text, given those of its stored form. */
  public static int textLength(int storedLength) {
    return Math.max(0, storedLength - HEAD_BYTES);
  }

  /**
   * Decodes a message.
   *
   * @param id the id in the key of its row
   */
  public static QueueMessage decode(UUID id, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte version = in.get();
    if (version != VERSION) {
      throw new IllegalStateException("unknown format of a message: " + version);
    }
    long inserted = in.getLong();
    long expires = in.getLong();
    long visibleAt = in.getLong();
    int change = in.getInt();
    int dequeueCount = in.getInt();
    byte[] text = new byte[in.remaining()];
    in.get(text);
    return new QueueMessage(id, inserted, expires, visibleAt, change, dequeueCount, text);
  }
}
