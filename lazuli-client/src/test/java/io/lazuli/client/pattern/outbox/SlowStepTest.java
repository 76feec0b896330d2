package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A slow step occupies its own place in a worker, and the others are used. */
class SlowStepTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Work work = Work.fresh(client);
  private final Queue<String> done = new ConcurrentLinkedQueue<>();
  private final Sinks.Empty<Void> slowMayEnd = Sinks.empty();
  private final CountDownLatch slowBegan = new CountDownLatch(1);

  private Mono<Void> step(OutboxMessage message) {
    Mono<Void> begun =
        message.kind().equals("slow")
            ? Mono.fromRunnable(slowBegan::countDown).then(slowMayEnd.asMono())
            : Mono.empty();
    return begun.then(Mono.fromRunnable(() -> done.add(message.kind())));
  }

  private OutboxWorker worker(int places) {
    return work.worker(client, this::step)
        .with(
            OutboxWorker.Options.DEFAULT
                .withConcurrency(places)
                .withPollEvery(Duration.ofMillis(50)));
  }

  private void send(String kind) {
    work.outbox(client).send(new OutboxMessage(kind, new EntityKey("p", "r"))).block();
  }

  @AfterEach
  void end() {
    slowMayEnd.tryEmitEmpty();
  }

  @Test
  void messagesThatArriveDuringASlowStepAreProcessed() {
    OutboxWorker worker = worker(2);
    worker.start();
    send("slow");
    Awaitility.await().until(() -> slowBegan.getCount() == 0);
    for (int i = 0; i < 5; i++) {
      send("quick");
    }
    Awaitility.await().until(() -> done.size() == 5);
    assertThat(done).containsOnly("quick");
    slowMayEnd.tryEmitEmpty();
    Awaitility.await().until(() -> done.size() == 6);
    worker.close();
    assertThat(Work.messages(client.queue(work.queue()))).isZero();
  }

  @Test
  void messagesThatWaitBehindASlowStepAreProcessed() {
    send("slow");
    for (int i = 0; i < 5; i++) {
      send("quick");
    }
    Mono<Long> all = worker(2).runUntilEmpty().cache();
    all.subscribe();
    Awaitility.await().until(() -> done.size() == 5);
    assertThat(done).containsOnly("quick");
    slowMayEnd.tryEmitEmpty();
    assertThat(all.block()).isEqualTo(6);
  }

  /** The worker does not renew, so the message becomes visible while its step runs. */
  @Test
  void aWorkerThatReceivesItsOwnMessageAgainContinues() {
    OutboxWorker worker =
        work.worker(client, this::step)
            .with(
                OutboxWorker.Options.DEFAULT
                    .withAttemptsMax(1)
                    .withVisibility(Duration.ofSeconds(1))
                    .withPollEvery(Duration.ofMillis(50)))
            .renewingEvery(Duration.ofHours(1));
    worker.start();
    send("slow");
    Awaitility.await().until(() -> slowBegan.getCount() == 0);
    // Longer than the message is hidden, so that it is delivered a second time.
    Awaitility.await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
    slowMayEnd.tryEmitEmpty();
    Awaitility.await().until(() -> Work.messages(client.queue(work.queue())) == 0);
    worker.close();
    assertThat(done).containsExactly("slow");
    assertThat(work.poisoned(client)).isZero();
  }
}
