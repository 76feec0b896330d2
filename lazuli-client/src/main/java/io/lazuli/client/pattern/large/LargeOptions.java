package io.lazuli.client.pattern.large;

import java.time.Duration;

/**
 * What goes to blobs, and how long a write may take. All clients of a table have the same.
 * Immutable.
 *
 * @param inlineBytesMax values of up to so many bytes stay in the entity and cost no request of
 *     their own; a character of a text counts two. The service allows 64 KiB
 * @param writeMax a write that takes longer is given up. Blobs are never collected before they are
 *     {@linkplain #orphanAgeMin twice} as old
 */
public record LargeOptions(int inlineBytesMax, Duration writeMax) {
  private static final int PROPERTY_BYTES_MAX = 64 << 10;

  /** 16 KiB, and half an hour. */
  public static final LargeOptions DEFAULT = new LargeOptions(16 << 10, Duration.ofMinutes(30));

  /** Refuses what no service would store. */
  public LargeOptions {
    if (inlineBytesMax < 0 || inlineBytesMax > PROPERTY_BYTES_MAX) {
      throw new IllegalArgumentException("inline values have 0 to 65,536 bytes");
    }
    if (writeMax.isNegative() || writeMax.isZero()) {
      throw new IllegalArgumentException("a write takes some time");
    }
  }

  /** These with another limit for values in the entity. */
  public LargeOptions withInlineBytesMax(int bytes) {
    return new LargeOptions(bytes, writeMax);
  }

  /** These with another limit for the time of a write. */
  public LargeOptions withWriteMax(Duration time) {
    return new LargeOptions(inlineBytesMax, time);
  }

  /** The age at which a blob without an entity can no longer be one whose entity is on its way. */
  public Duration orphanAgeMin() {
    return writeMax.multipliedBy(2);
  }
}
