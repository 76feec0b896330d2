package io.lazuli.server.queue.model;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What whoever put, got or updated a message last can show for it. It is made of what is stored
 * with the message, so it outlives a restart, and no two states of a message have the same.
 */
public record PopReceipt(long inserted, int change) {
  private static final int BYTES = Long.BYTES + Integer.BYTES;

  /** Well-formed, but of no message. */
  private static final PopReceipt FOREIGN = new PopReceipt(-1, -1);

  /** Reads any receipt that a client may have made up; null if it is not Base64. */
  public static @Nullable PopReceipt parse(String text) {
    // The live service insists on padding: "invalid" is seven letters (queue-rest 7.2).
    if (text.length() % 4 != 0) {
      return null;
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (bytes.length != BYTES) {
      return FOREIGN;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new PopReceipt(in.getLong(), in.getInt());
  }

  /** As it is sent. */
  public String text() {
    byte[] bytes = ByteBuffer.allocate(BYTES).putLong(inserted).putInt(change).array();
    return Base64.getEncoder().encodeToString(bytes);
  }
}
