package io.lazuli.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves only when a test moves it. Thread-safe. */
public final class TestClock extends Clock {
  private final AtomicReference<Instant> now;

  public TestClock(Instant now) {
    this.now = new AtomicReference<>(now);
  }

  public void pass(Duration time) {
    now.updateAndGet(old -> old.plus(time));
  }

  public void set(Instant time) {
    now.set(time);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("UTC only");
  }
}
