package io.lazuli.client.pattern.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * The age of the oldest message that a worker received last, by the clock of the service. It is
 * zero if the queue was empty. While the worker has no room for more messages, or cannot read the
 * queue, the lag grows with time. Mutable, thread-safe.
 */
final class Lag {
  private final Clock clock;
  private volatile Sample last;

  private record Sample(Duration age, Instant takenAt, boolean growing) {
    Duration at(Instant now) {
      Duration since = Duration.between(takenAt, now);
      return growing && !since.isNegative() ? age.plus(since) : age;
    }
  }

  Lag(Clock clock) {
    this.clock = clock;
    this.last = new Sample(Duration.ZERO, clock.instant(), false);
  }

  /** Notes the ages of received messages, and whether there may be more in the queue. */
  void received(Collection<Duration> ages, boolean more) {
    Duration oldest = Duration.ZERO;
    for (Duration age : ages) {
      oldest = age.compareTo(oldest) > 0 ? age : oldest;
    }
    last = new Sample(oldest, clock.instant(), more);
  }

  void receiveFailed() {
    Instant now = clock.instant();
    last = new Sample(last.at(now), now, true);
  }

  Duration now() {
    return last.at(clock.instant());
  }
}
