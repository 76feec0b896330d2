package io.lazuli.client.halt;

import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.IdempotentStep;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.PoisonQueue;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The outbox of a world and its workers, with times that a test can wait for. */
record Delivery(World world) {
  /** A run with a write that takes longer is void; see {@link Journal.End#SLOW}. */
  private static final Duration LAST_CHECK = Duration.ofSeconds(4);

  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  /** Halts deliver a message more often than failures do, so more attempts are allowed. */
  private static final OutboxWorker.Options OPTIONS =
      OutboxWorker.Options.DEFAULT.withVisibility(Duration.ofSeconds(2)).withAttemptsMax(30);

  Outbox outbox(TestClient client) {
    return Outbox.of(client.queue(world.queue()))
        .hiddenFor(Duration.ofSeconds(1))
        .lastCheckAfter(LAST_CHECK);
  }

  OutboxWorker worker(TestClient client, IdempotentStep step) {
    PoisonQueue poison = PoisonQueue.of(client.queue(world.poison()));
    return OutboxWorker.of(client.queue(world.queue()), poison, step).with(OPTIONS);
  }

  /** Works until the queue has no messages, not even hidden ones. */
  void settle(TestClient live, IdempotentStep step) {
    OutboxWorker worker = worker(live, step);
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .atMost(WAIT_MAX)
        .until(
            () -> {
              worker.runUntilEmpty().block(WAIT_MAX);
              return messages(live, world.queue()) == 0;
            });
  }

  long poisoned(TestClient live) {
    return messages(live, world.poison());
  }

  private static long messages(TestClient live, String queue) {
    return live.queue(queue)
        .getProperties()
        .blockOptional()
        .orElseThrow()
        .getApproximateMessagesCountLong();
  }
}
