package io.lazuli.server.blob.partition;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that a transaction makes part of a blob.
 *
 * @param bytes to be stored as a record; null if they are in a chunk already
 * @param chunk its number, if they are
 */
public record NewContent(long length, byte @Nullable [] bytes, long chunk) {
  public static NewContent ofBytes(byte[] bytes) {
    return new NewContent(bytes.length, bytes, 0);
  }

  public static NewContent ofChunk(long chunk, long length) {
    return new NewContent(length, null, chunk);
  }

  /** What it weighs while it waits for its turn. */
  public long weightBytes() {
    return bytes == null ? 0 : bytes.length;
  }
}
