package io.lazuli.storage.contract;

import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that stands still until a test moves it, in either direction. */
public final class ManualClock implements LongSupplier {
  private final AtomicLong ticks = new AtomicLong(Ticks.of(Instant.parse("2026-11-15T12:00:00Z")));

  @Override
  public long getAsLong() {
    return ticks.get();
  }

  /** Moves the clock; a negative duration moves it back. */
  public void move(Duration duration) {
    ticks.addAndGet(duration.toNanos() / 100);
  }
}
