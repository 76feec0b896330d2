package io.lazuli.client.pattern.outbox;

import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.fault.TestClient;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The queues of an outbox, and workers that empty them. */
public record Work(String queue, String poison) {
  private static final OutboxWorker.Options QUICK =
      OutboxWorker.Options.DEFAULT.withVisibility(Duration.ofSeconds(1));

  public static Work fresh(TestClient client) {
    return new Work(client.newQueue(), client.newQueue());
  }

  /** Creates an outbox whose messages are visible immediately, as if time had passed. */
  public Outbox outbox(TestClient client) {
    return Outbox.of(client.queue(queue)).hiddenFor(Duration.ZERO).lastCheckAfter(Duration.ZERO);
  }

  /**
   * Creates a worker whose messages reappear after a second, and that sends no requests on a timer.
   */
  public OutboxWorker worker(TestClient client, IdempotentStep step) {
    return worker(client, step, QUICK);
  }

  private OutboxWorker worker(
      TestClient client, IdempotentStep step, OutboxWorker.Options options) {
    return OutboxWorker.of(client.queue(queue), PoisonQueue.of(client.queue(poison)), step)
        .with(options)
        .renewingEvery(Duration.ofHours(1));
  }

  /**
   * Creates such a worker for tests in which workers compete. On a busy machine a message may
   * reappear several times before its step has ended, which is not a reason to give it up.
   */
  public OutboxWorker patientWorker(TestClient client, IdempotentStep step) {
    return worker(client, step, QUICK.withAttemptsMax(1_000));
  }

  /**
   * Works until the queue has no messages, not even hidden ones. A message that fails once goes to
   * the poison queue. If the server causes faults, messages get the usual number of attempts.
   */
  public void runUntilPoisoned(TestClient client, IdempotentStep step) {
    int attempts = client.isRetrying() ? QUICK.attemptsMax() : 1;
    runUntilEmpty(client, worker(client, step, QUICK.withAttemptsMax(attempts)));
  }

  /** Works until the queue has no messages, not even hidden ones. */
  public void runUntilEmpty(TestClient client, IdempotentStep step) {
    runUntilEmpty(client, worker(client, step));
  }

  /** Lets a worker work until the queue has no messages, not even hidden ones. */
  public void runUntilEmpty(TestClient client, OutboxWorker worker) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              worker.runUntilEmpty().block(Duration.ofSeconds(20));
              return messages(client.queue(queue)) == 0;
            });
  }

  public long poisoned(TestClient client) {
    return messages(client.queue(poison));
  }

  static long messages(QueueAsyncClient queue) {
    return queue.getProperties().blockOptional().orElseThrow().getApproximateMessagesCountLong();
  }
}
