package io.lazuli.client.pattern.large;

import java.time.Duration;

/**
 * Which values go to blobs, and how long a write may take. All clients of a table must use the same
 * options. Immutable.
 *
 * @param inlineBytesMax values of up to this many bytes stay in the entity and cost no extra
 *     request; a character of text counts as two bytes. The service allows 64 KiB
 * @param writeMax a write that takes longer is abandoned. Blobs are not collected before they are
 *     {@linkplain #orphanAgeMin twice as old} as this time
 */
public record LargeOptions(int inlineBytesMax, Duration writeMax) {
  private static final int PROPERTY_BYTES_MAX = 64 << 10;

  /** Values of up to 16 KiB stay in the entity, and a write may take half an hour. */
  public static final LargeOptions DEFAULT = new LargeOptions(16 << 10, Duration.ofMinutes(30));

  /** Rejects values that the service would reject. */
  public LargeOptions {
    if (inlineBytesMax < 0 || inlineBytesMax > PROPERTY_BYTES_MAX) {
      throw new IllegalArgumentException("inlineBytesMax must be 0 to 65,536");
    }
    if (writeMax.isNegative() || writeMax.isZero()) {
      throw new IllegalArgumentException("writeMax must be positive");
    }
  }

  /** Returns these options with another limit for values in the entity. */
  public LargeOptions withInlineBytesMax(int bytes) {
    return new LargeOptions(bytes, writeMax);
  }

  /** Returns these options with another time limit for writes. */
  public LargeOptions withWriteMax(Duration time) {
    return new LargeOptions(inlineBytesMax, time);
  }

  /**
   * Returns the age from which a blob that no entity names is an orphan: its entity can no longer
   * be written.
   */
  public Duration orphanAgeMin() {
    return writeMax.multipliedBy(2);
  }
}
