package io.lazuli.client.pattern.log;

import java.time.Duration;

/**
 * When a writer sends its entries, and when it starts another blob. Immutable.
 *
 * @param flushEvery how long entries stay in the buffer; zero sends each entry immediately
 * @param flushBytes the buffer is sent earlier if it has this many bytes
 * @param bufferBytesMax if the buffer has this many bytes, an append waits until the buffer is sent
 * @param blobBytesMax the writer starts another blob rather than exceed this size
 * @param blobBlocksMax the writer starts another blob after this many flushes; the service allows
 *     50,000
 */
public record LogOptions(
    Duration flushEvery, int flushBytes, int bufferBytesMax, long blobBytesMax, int blobBlocksMax) {
  private static final int BLOCKS_MAX = 50_000;

  /** Rejects values that the service would reject. */
  public LogOptions {
    if (blobBlocksMax < 1 || blobBlocksMax > BLOCKS_MAX) {
      throw new IllegalArgumentException("blobBlocksMax must be 1 to 50,000, not " + blobBlocksMax);
    }
    if (flushBytes < 1 || bufferBytesMax < flushBytes) {
      throw new IllegalArgumentException(
          "flushBytes must be at least 1, and bufferBytesMax at least flushBytes");
    }
  }

  /**
   * Returns options of an unbuffered writer: an entry is acknowledged when it is stored. Entries
   * that arrive during a request are sent together in the next one.
   */
  public static LogOptions atOnce() {
    return buffered(Duration.ZERO, 1);
  }

  /**
   * Returns options of a buffering writer: entries are sent after this time, or earlier if the
   * buffer has this many bytes.
   */
  public static LogOptions buffered(Duration flushEvery, int flushBytes) {
    int buffer = Math.max(16 << 20, Math.multiplyExact(4, flushBytes));
    return new LogOptions(flushEvery, flushBytes, buffer, 256L << 20, BLOCKS_MAX);
  }

  /** Returns these options with other limits for blobs. */
  public LogOptions withBlobMax(long bytes, int blocks) {
    return new LogOptions(flushEvery, flushBytes, bufferBytesMax, bytes, blocks);
  }

  /** Returns these options with another limit for the buffer. */
  public LogOptions withBufferBytesMax(int bytes) {
    return new LogOptions(flushEvery, flushBytes, bytes, blobBytesMax, blobBlocksMax);
  }

  boolean isAtOnce() {
    return flushEvery.isZero();
  }
}
