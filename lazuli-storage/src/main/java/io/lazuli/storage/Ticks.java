package io.lazuli.storage;

import java.time.Instant;

/** Time as the protocol counts it: 100 ns since 1601-01-01 UTC. */
public final class Ticks {
  public static final long PER_SECOND = 10_000_000;

  /** Seconds from 1601-01-01 to 1970-01-01. */
  private static final long EPOCH_OFFSET_SECONDS = 11_644_473_600L;

  private Ticks() {}

  /** Returns the time of the system clock. */
  public static long systemNow() {
    return of(Instant.now());
  }

  public static long of(Instant instant) {
    return (instant.getEpochSecond() + EPOCH_OFFSET_SECONDS) * PER_SECOND + instant.getNano() / 100;
  }

  public static Instant toInstant(long ticks) {
    return Instant.ofEpochSecond(
        Math.floorDiv(ticks, PER_SECOND) - EPOCH_OFFSET_SECONDS,
        Math.floorMod(ticks, PER_SECOND) * 100);
  }
}
