package io.lazuli.server.queue.model;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The receipt for the last put, get or update of a message. It is made from stored values of the
 * message, so it survives a restart. No two states of a message have the same receipt.
 */
public record PopReceipt(long inserted, int change) {
  private static final int BYTES = Long.BYTES + Integer.BYTES;

  /** A well-formed receipt that belongs to no message. */
  private static final PopReceipt FOREIGN = new PopReceipt(-1, -1);

  /** Parses a receipt, which a client may have made up; null if it is not Base64. */
  public static @Nullable PopReceipt parse(String text) {
    // The live service requires padding: it refuses "invalid", which has seven letters (queue-rest
    // 7.2).
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

  /** Returns the receipt in Base64, as the protocol shows it. */
  public String text() {
    byte[] bytes = ByteBuffer.allocate(BYTES).putLong(inserted).putInt(change).array();
    return Base64.getEncoder().encodeToString(bytes);
  }
}
