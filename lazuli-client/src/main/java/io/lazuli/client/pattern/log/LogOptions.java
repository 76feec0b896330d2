package io.lazuli.client.pattern.log;

import java.time.Duration;

/**
 * When a writer sends its entries, and when it begins another blob. Immutable.
 *
 * @param flushEvery how long entries wait in the buffer; zero sends each at once
 * @param flushBytes a buffer of so many bytes is sent before that time
 * @param bufferBytesMax who appends to a fuller buffer waits until it is sent
 * @param blobBytesMax a blob that would be larger is followed by another
 * @param blobBlocksMax a blob of so many flushes is followed by another; the service allows 50,000
 */
public record LogOptions(
    Duration flushEvery, int flushBytes, int bufferBytesMax, long blobBytesMax, int blobBlocksMax) {
  private static final int BLOCKS_MAX = 50_000;

  /** Refuses what the service would refuse. */
  public LogOptions {
    if (blobBlocksMax < 1 || blobBlocksMax > BLOCKS_MAX) {
      throw new IllegalArgumentException("a blob has 1 to 50,000 blocks, not " + blobBlocksMax);
    }
    if (flushBytes < 1 || bufferBytesMax < flushBytes) {
      throw new IllegalArgumentException("a buffer holds at least what is sent at once");
    }
  }

  /**
   * Each entry is stored when it is acknowledged. Entries that come while others are being sent are
   * sent together after these.
   */
  public static LogOptions atOnce() {
    return buffered(Duration.ZERO, 1);
  }

  /** Entries are sent after this time, or when there are so many bytes. */
  public static LogOptions buffered(Duration flushEvery, int flushBytes) {
    int buffer = Math.max(16 << 20, Math.multiplyExact(4, flushBytes));
    return new LogOptions(flushEvery, flushBytes, buffer, 256L << 20, BLOCKS_MAX);
  }

  /** These with other limits for blobs. */
  public LogOptions withBlobMax(long bytes, int blocks) {
    return new LogOptions(flushEvery, flushBytes, bufferBytesMax, bytes, blocks);
  }

  /** These with another limit for the buffer. */
  public LogOptions withBufferBytesMax(int bytes) {
    return new LogOptions(flushEvery, flushBytes, bytes, blobBytesMax, blobBlocksMax);
  }

  boolean isAtOnce() {
    return flushEvery.isZero();
  }
}
