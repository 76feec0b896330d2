package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.metrics.MicrometerMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;

/** Operators see what workers do: in the log and in the metrics. */
class WorkerReportTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final OutboxWorker.Options QUICK =
      OutboxWorker.Options.DEFAULT.withPollEvery(Duration.ofMillis(20));

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Work work = Work.fresh(client);
  private final LoggedLines log = new LoggedLines();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private OutboxWorker worker(QueueAsyncClient queue, IdempotentStep step) {
    return OutboxWorker.of(queue, PoisonQueue.of(client.queue(work.poison())), step)
        .with(QUICK)
        .with(log)
        .with(MicrometerMetrics.of(registry));
  }

  private OutboxWorker worker(IdempotentStep step) {
    return worker(client.queue(work.queue()), step);
  }

  private void send(String kind) {
    work.outbox(client).send(new OutboxMessage(kind, new EntityKey("Sales", "7"))).block();
  }

  private static Mono<Void> step(OutboxMessage message) {
    return message.kind().equals("bad")
        ? Mono.error(new IllegalStateException("it is broken"))
        : Mono.empty();
  }

  private long count(String outcome) {
    return registry
        .timer("lazuli.outbox.messages", "queue", work.queue(), "outcome", outcome)
        .count();
  }

  private double gauge(String name) {
    return registry.get(name).tag("queue", work.queue()).gauge().value();
  }

  /** The code of docs/patterns/worker.md. */
  @Test
  void thePagesWorkerWorks() {
    send("good");
    send("bad");
    QueueAsyncClient queue = client.queue(work.queue());
    QueueAsyncClient poisonQueue = client.queue(work.poison());
    IdempotentStep step = WorkerReportTest::step;
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    // snippet
    OutboxWorker worker =
        OutboxWorker.of(queue, PoisonQueue.of(poisonQueue), step)
            .with(OutboxWorker.Options.DEFAULT.withConcurrency(8))
            .with(MicrometerMetrics.of(registry))
            .onFailure(failures::add);
    worker.start();
    // end
    Awaitility.await().until(() -> count("done") == 1 && count("failed") == 1);
    // snippet
    worker.close();
    // end
    assertThat(failures)
        .singleElement()
        .satisfies(failure -> assertThat(failure).hasMessage("it is broken"));
  }

  @Test
  void aFailureIsLoggedWithItsMessageAndCause() {
    send("bad");
    worker(WorkerReportTest::step).runUntilEmpty().block();
    assertThat(log.all())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.level()).isEqualTo(Level.WARN);
              assertThat(line.text())
                  .contains("Delivery 1 of message")
                  .contains(work.queue())
                  .contains("kind=bad")
                  .contains("Sales");
              assertThat(line.failure()).hasMessage("it is broken");
            });
  }

  @Test
  void aPoisonedMessageIsLoggedAsAnError() {
    send("bad");
    worker(WorkerReportTest::step).with(QUICK.withAttemptsMax(1)).runUntilEmpty().block();
    assertThat(log.all())
        .last()
        .satisfies(
            line -> {
              assertThat(line.level()).isEqualTo(Level.ERROR);
              assertThat(line.text()).contains("poison queue after 1 deliveries: ");
              assertThat(line.text()).endsWith("it is broken");
            });
  }

  @Test
  void anUnreadableQueueIsLoggedOnceAndTheWorkerKeepsTrying() {
    String missing = TestAccount.uniqueName("queue");
    OutboxWorker worker = worker(client.queue(missing), WorkerReportTest::step);
    worker.start();
    Awaitility.await()
        .until(
            () ->
                registry.counter("lazuli.outbox.receive.failures", "queue", missing).count() >= 3);
    client.queues().createQueue(missing).block();
    Awaitility.await().until(() -> log.all().size() == 2);
    worker.close();
    assertThat(log.all())
        .satisfiesExactly(
            line -> assertThat(line.text()).contains(missing + " cannot be read"),
            line -> assertThat(line.text()).contains(missing + " can be read again"));
  }

  @Test
  void messagesAreCountedByOutcome() {
    send("good");
    send("good");
    send("bad");
    client.queue(work.queue()).sendMessage("hello").block();
    worker(WorkerReportTest::step).runUntilEmpty().block();
    assertThat(count("done")).isEqualTo(2);
    assertThat(count("failed")).isEqualTo(1);
    assertThat(count("poisoned")).isEqualTo(1);
    assertThat(
            registry
                .timer("lazuli.outbox.messages", "queue", work.queue(), "outcome", "done")
                .totalTime(TimeUnit.NANOSECONDS))
        .isPositive();
  }

  @Test
  void aStartedWorkerShowsItsLagAndItsRunningMessages() {
    send("slow");
    OutboxWorker worker =
        worker(message -> Mono.never()).with(QUICK.withConcurrency(1).withCloseMax(Duration.ZERO));
    worker.start();
    Awaitility.await().until(() -> gauge("lazuli.outbox.running") == 1);
    Awaitility.await().until(() -> gauge("lazuli.outbox.lag") > 0.1);
    assertThat(worker.lag()).isPositive();
    worker.close();
    assertThat(count("released")).isEqualTo(1);
    assertThat(gauge("lazuli.outbox.running")).isZero();
    assertThat(gauge("lazuli.outbox.lag")).isZero();
  }

  @Test
  void aStepThatIsCancelledIsLogged() {
    send("slow");
    OutboxWorker worker = worker(message -> Mono.never()).with(QUICK.withCloseMax(Duration.ZERO));
    worker.start();
    Awaitility.await().until(() -> gauge("lazuli.outbox.running") == 1);
    worker.close();
    assertThat(log.all()).singleElement().asString().contains("cancels 1 steps");
  }
}
