package io.lazuli.client.pattern.outbox;

import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.entity.EntityKey;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import reactor.core.publisher.Mono;

/** Repeats an operation that reads, decides and writes conditionally, until the condition holds. */
final class Swaps {
  private static final int ATTEMPTS_MAX = 20;
  private static final int PAUSE_MILLIS_MAX = 20;

  private Swaps() {}

  /**
   * Repeats an attempt until it has a result. Fails with a {@link ContentionFailure} after {@value
   * #ATTEMPTS_MAX} attempts.
   *
   * @param attempt reads and writes; empty if the data changed in between
   */
  static <R> Mono<R> until(EntityKey key, Mono<R> attempt) {
    return until(key, attempt, 1);
  }

  private static <R> Mono<R> until(EntityKey key, Mono<R> attempt, int number) {
    return attempt.switchIfEmpty(
        Mono.defer(
            () ->
                number == ATTEMPTS_MAX
                    ? Mono.error(new ContentionFailure(key))
                    : ContainedWork.boundary(Mono.delay(pause(number)))
                        .then(until(key, attempt, number + 1))));
  }

  /** Returns a random pause, so that two competing clients do not collide again. */
  private static Duration pause(int number) {
    return Duration.ofMillis(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS_MAX * number));
  }
}
