package io.lazuli.server.blob.service;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that a transaction makes part of a blob.
 *
 * @param bytes to be stored as a record; null if they are in a chunk already
 * @param chunk its number, if they are
 */
record NewContent(long length, byte @Nullable [] bytes, long chunk) {
  static NewContent ofBytes(byte[] bytes) {
    return new NewContent(bytes.length, bytes, 0);
  }

  static NewContent ofChunk(long chunk, long length) {
    return new NewContent(length, null, chunk);
  }

  /** What it weighs while it waits for its turn. */
  long weightBytes() {
    return bytes == null ? 0 : bytes.length;
  }
}
