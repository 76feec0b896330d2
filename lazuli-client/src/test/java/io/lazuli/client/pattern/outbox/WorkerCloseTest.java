package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.TestAccount;
import io.lazuli.client.TestClock;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A worker that is closed lets running steps end, and leaves the other messages to others. */
@Timeout(60)
class WorkerCloseTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  /** Messages stay hidden for 30 seconds, unless they are made visible. */
  private static final OutboxWorker.Options OPTIONS = OutboxWorker.Options.DEFAULT;

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Work work = Work.fresh(client);
  private final QueueAsyncClient queue = client.queue(work.queue());
  private final CountDownLatch began = new CountDownLatch(1);

  private void send() {
    work.outbox(client).send(new OutboxMessage("kind", new EntityKey("p", "r"))).block();
  }

  private OutboxWorker started(IdempotentStep step, OutboxWorker.Options options) {
    send();
    OutboxWorker worker = work.worker(client, step).with(options);
    worker.start();
    Awaitility.await().until(() -> began.getCount() == 0);
    return worker;
  }

  private void anotherWorkerFinishesTheMessage() {
    AtomicBoolean done = new AtomicBoolean();
    OutboxWorker other =
        work.worker(client, message -> Mono.fromRunnable(() -> done.set(true))).with(OPTIONS);
    assertThat(other.runUntilEmpty().block()).isEqualTo(1);
    assertThat(done).isTrue();
    assertThat(Work.messages(queue)).isZero();
  }

  @Test
  void runningStepsEnd() {
    Sinks.Empty<Void> mayEnd = Sinks.empty();
    AtomicBoolean done = new AtomicBoolean();
    OutboxWorker worker =
        started(
            message ->
                Mono.fromRunnable(began::countDown)
                    .then(mayEnd.asMono())
                    .then(Mono.fromRunnable(() -> done.set(true))),
            OPTIONS);
    Mono.delay(Duration.ofMillis(100)).subscribe(late -> mayEnd.tryEmitEmpty());
    worker.close();
    assertThat(done).isTrue();
    assertThat(Work.messages(queue)).isZero();
  }

  @Test
  void aStepThatDoesNotEndIsCancelledAndItsMessageIsVisibleAtOnce() {
    AtomicBoolean cancelled = new AtomicBoolean();
    OutboxWorker worker =
        started(
            message ->
                Mono.<Void>never()
                    .doOnSubscribe(begun -> began.countDown())
                    .doOnCancel(() -> cancelled.set(true)),
            OPTIONS.withCloseMax(Duration.ZERO));
    worker.close();
    assertThat(cancelled).isTrue();
    anotherWorkerFinishesTheMessage();
  }

  @Test
  void aStepThatIgnoresItsEndDoesNotDelayClose() {
    CountDownLatch testEnded = new CountDownLatch(1);
    OutboxWorker worker =
        started(
            IdempotentStep.blocking(
                message -> {
                  began.countDown();
                  awaitUninterruptibly(testEnded);
                }),
            OPTIONS.withCloseMax(Duration.ZERO));
    worker.close();
    anotherWorkerFinishesTheMessage();
    testEnded.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean ended = false;
    while (!ended) {
      try {
        ended = latch.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException ignored) {
        // This is what the test is about.
      }
    }
  }

  @Test
  void messagesThatArriveAfterTheEndAreVisibleAtOnce() {
    send();
    send();
    Sinks.Empty<Void> stop = Sinks.empty();
    HttpPipelinePolicy stopping =
        (context, next) ->
            next.process()
                .doOnNext(
                    answer -> {
                      if (context.getHttpRequest().getHttpMethod() == HttpMethod.GET) {
                        stop.tryEmitEmpty();
                      }
                    });
    QueueAsyncClient late = ACCOUNT.queues(stopping).getQueueAsyncClient(work.queue());
    Intake.Source source =
        new Intake.Source(late, OPTIONS, Duration.ofHours(1), Duration.ofSeconds(1));
    List<HeldMessage> received =
        Intake.of(
                source, WorkerReport.of(late), new Lag(new TestClock(Instant.EPOCH)), stop.asMono())
            .collectList()
            .block();
    assertThat(received).isEmpty();
    assertThat(queue.peekMessages(32).collectList().block()).hasSize(2);
  }

  @Test
  void aClosedWorkerCanBeStartedAgain() {
    CountDownLatch twice = new CountDownLatch(2);
    OutboxWorker worker =
        work.worker(client, message -> Mono.fromRunnable(twice::countDown)).with(OPTIONS);
    for (int round = 1; round <= 2; round++) {
      send();
      worker.start();
      long left = 2L - round;
      Awaitility.await().until(() -> twice.getCount() == left);
      worker.close();
    }
    assertThat(Work.messages(queue)).isZero();
  }
}
