package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.models.QueueMessageItem;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.LostResponse;
import io.lazuli.client.fault.TestClient;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

@NotRehearsed("a message whose delivery was not answered stays hidden for a while")
class OutboxWorkerTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final OutboxMessage MESSAGE =
      new OutboxMessage("kind", new EntityKey("a/b %'\u0001\uD83D\uDE00", ""));

  private static final Duration LAST_CHECK = Duration.ofMinutes(10);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Work work = Work.fresh(client);
  private final QueueAsyncClient queue = client.queue(work.queue());
  private final PoisonQueue poison = PoisonQueue.of(client.queue(work.poison()));
  private final Queue<OutboxMessage> seen = new ConcurrentLinkedQueue<>();

  private OutboxWorker worker() {
    return work.worker(client, this::see);
  }

  private Mono<Void> see(OutboxMessage message) {
    return Mono.fromRunnable(() -> seen.add(message));
  }

  private void send() {
    work.outbox(client).send(MESSAGE).block();
  }

  @Test
  void anyKeyArrivesAsItWasSent() {
    send();
    assertThat(worker().runUntilEmpty().block()).isEqualTo(1);
    assertThat(seen).containsExactly(MESSAGE);
    assertThat(Work.messages(queue)).isZero();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aMessageCostsTwoRequestsOfTheClient() {
    assertThat(client.count(() -> work.outbox(client).around(MESSAGE, Mono.just(1)).block()))
        .isEqualTo(2);
  }

  @Test
  void aMessageIsHiddenUntilTheWorkIsDone() {
    Outbox outbox = Outbox.of(queue);
    String result =
        outbox
            .around(MESSAGE, Mono.defer(() -> worker().runUntilEmpty().map(done -> "saw " + done)))
            .block();
    assertThat(result).isEqualTo("saw 0");
    assertThat(worker().runUntilEmpty().block()).isEqualTo(1);
  }

  @Test
  void theMessageOfFailedWorkIsStillDelivered() {
    Mono<Integer> failing = Mono.error(new IllegalStateException("lost answer"));
    assertThat(work.outbox(client).around(MESSAGE, failing).onErrorReturn(-1).block())
        .isEqualTo(-1);
    assertThat(worker().runUntilEmpty().block()).isEqualTo(1);
  }

  @Test
  void aMessageReceivedTooEarlyIsDeliveredAgain() {
    Outbox hasty = Outbox.of(queue).hiddenFor(Duration.ZERO);
    hasty.around(MESSAGE, worker().runUntilEmpty()).block();
    assertThat(seen).as("before the write").hasSize(1);
    worker().runUntilEmpty().block();
    assertThat(seen).as("after it: the message was sent again").hasSize(2);
    assertThat(Work.messages(queue)).as("the first one waits for its last check").isEqualTo(1);
  }

  @Test
  void aMessageWhoseWriteIsUnknownIsKeptUntilItsLastCheck() {
    Outbox outbox = Outbox.of(queue).hiddenFor(Duration.ZERO).lastCheckAfter(LAST_CHECK);
    outbox.around(MESSAGE, Mono.error(new IllegalStateException())).onErrorComplete().block();
    QueueMessageItem item = queue.receiveMessage().blockOptional().orElseThrow();
    OffsetDateTime sent = item.getInsertionTime();
    Envelope announced = Envelope.parse(item.getBody().toString()).orElseThrow();
    assertThat(announced.lastCheck()).isEqualTo(LAST_CHECK);
    held(item.setInsertionTime(sent.minus(LAST_CHECK).plusMinutes(5))).finish(announced).block();
    assertThat(Work.messages(queue)).as("the write may still be made").isEqualTo(1);
    assertThat(queue.receiveMessage().blockOptional()).as("not before the last check").isEmpty();
  }

  @Test
  void aMessageWhoseWriteIsUnknownIsDeletedAtItsLastCheck() {
    Outbox outbox = Outbox.of(queue).hiddenFor(Duration.ZERO).lastCheckAfter(LAST_CHECK);
    outbox.around(MESSAGE, Mono.error(new IllegalStateException())).onErrorComplete().block();
    QueueMessageItem item = queue.receiveMessage().blockOptional().orElseThrow();
    Envelope announced = Envelope.parse(item.getBody().toString()).orElseThrow();
    item.setInsertionTime(item.getInsertionTime().minus(LAST_CHECK));
    held(item).finish(announced).block();
    assertThat(Work.messages(queue)).isZero();
  }

  /** Holds a message that was received with the SDK's default visibility. */
  private HeldMessage held(QueueMessageItem item) {
    return new HeldMessage(queue, item, Duration.ofSeconds(30), Duration.ofHours(1));
  }

  @Test
  void aMessageThatKeepsFailingIsPoisonedWithTheReason() {
    send();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    IdempotentStep failing = message -> Mono.error(new IllegalStateException("it is broken"));
    OutboxWorker worker =
        work.worker(client, failing).with(options().withAttemptsMax(2)).onFailure(failures::add);
    Awaitility.await()
        .until(
            () -> {
              assertThat(worker.runUntilEmpty().block()).isZero();
              return work.poisoned(client) == 1;
            });
    assertThat(failures).hasSize(2);
    assertThat(Work.messages(queue)).isZero();
    assertThat(poison.peek().collectList().block())
        .singleElement()
        .satisfies(
            poisoned -> {
              assertThat(poisoned.message()).contains(MESSAGE);
              assertThat(poisoned.attempts()).isEqualTo(2);
              assertThat(poisoned.reason()).contains("it is broken");
            });
    assertThat(poison.sendBack(queue).block()).isEqualTo(1);
    worker().runUntilEmpty().block();
    assertThat(seen).containsExactly(MESSAGE);
  }

  /** Sending back is four requests: receive, send, delete, and a receive that finds nothing. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aMessageIsNotLostIfAnAnswerIsLostWhileItIsSentBack(int lost) {
    poison.put(new PoisonMessage("text", 1, "it was broken")).block();
    QueueServiceAsyncClient unlucky = new LostResponse(lost).queues(ACCOUNT);
    PoisonQueue.of(unlucky.getQueueAsyncClient(work.poison()))
        .sendBack(unlucky.getQueueAsyncClient(work.queue()))
        .block();
    boolean stillHidden = lost == 1;
    assertThat(work.poisoned(client)).isEqualTo(stillHidden ? 1 : 0);
    assertThat(Work.messages(queue)).isEqualTo(stillHidden ? 0 : lost == 2 ? 2 : 1);
  }

  @Test
  void foreignMessagesArePoisoned() {
    List.of("hello", "written/x/k/p/r", "other/1/k/p/r", "written/1/%zz/p/r")
        .forEach(text -> queue.sendMessage(text).block());
    worker().runUntilEmpty().block();
    assertThat(poison.peek().map(PoisonMessage::text).collectList().block())
        .containsExactlyInAnyOrder(
            "hello", "written/x/k/p/r", "other/1/k/p/r", "written/1/%zz/p/r");
    assertThat(seen).isEmpty();
  }

  @Test
  void aKindWithoutAStepIsPoisoned() {
    send();
    IdempotentStep none = IdempotentStep.byKind(Map.of("other", this::see));
    work.worker(client, none).with(options().withAttemptsMax(1)).runUntilEmpty().block();
    assertThat(poison.peek().map(PoisonMessage::reason).collectList().block())
        .singleElement()
        .asString()
        .contains("no step for messages of kind kind");
  }

  @Test
  void noOtherWorkerReceivesTheMessageOfALongStep() {
    send();
    CountDownLatch running = new CountDownLatch(1);
    Sinks.Empty<Void> looked = Sinks.empty();
    IdempotentStep slow = message -> Mono.fromRunnable(running::countDown).then(looked.asMono());
    OutboxWorker.Options patient = options().withVisibility(Duration.ofSeconds(3));
    Mono<Long> first = work.worker(client, slow).with(patient).runUntilEmpty().cache();
    first.subscribe();
    Awaitility.await().until(() -> running.getCount() == 0);
    // Longer than the message would be hidden without a renewal.
    Awaitility.await().pollDelay(Duration.ofMillis(3500)).until(() -> true);
    assertThat(worker().runUntilEmpty().block()).isZero();
    looked.tryEmitEmpty();
    assertThat(first.block()).isEqualTo(1);
    assertThat(Work.messages(queue)).isZero();
  }

  @Test
  void aStartedWorkerWorksUntilItIsClosed() {
    try (OutboxWorker worker = worker()) {
      worker.start();
      worker.start();
      send();
      Awaitility.await().until(() -> seen.size() == 1);
    }
    send();
    assertThat(worker().runUntilEmpty().block()).as("left by the closed one").isEqualTo(1);
  }

  @Test
  void concurrencyIsLimited() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    IdempotentStep step =
        message ->
            Mono.fromRunnable(() -> most.accumulateAndGet(running.incrementAndGet(), Math::max))
                .then(Mono.delay(Duration.ofMillis(100)))
                .doFinally(end -> running.decrementAndGet())
                .then();
    for (int i = 0; i < 10; i++) {
      send();
    }
    work.worker(client, step).with(options().withConcurrency(3)).runUntilEmpty().block();
    assertThat(most.get()).isBetween(2, 3);
  }

  @Test
  void stepsCanBlockAndBeChained() {
    send();
    IdempotentStep blocking =
        IdempotentStep.blocking(message -> Mono.delay(Duration.ofMillis(1)).block());
    work.worker(client, blocking.then(this::see)).runUntilEmpty().block();
    assertThat(seen).containsExactly(MESSAGE);
  }

  /** Runs as many steps as Reactor has elastic threads, which the SDK needs to answer the steps. */
  @Test
  void blockingStepsDoNotUseTheThreadsOfTheSdk() {
    int steps = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
    CountDownLatch allWait = new CountDownLatch(steps);
    Mono<Integer> answer = Mono.fromCallable(() -> 1).subscribeOn(Schedulers.boundedElastic());
    IdempotentStep waiting =
        IdempotentStep.blocking(
            message -> {
              allWait.countDown();
              Mono.fromCallable(() -> allWait.await(10, TimeUnit.SECONDS)).then(answer).block();
            });
    Mono<Void> all = Flux.range(0, steps).flatMap(number -> waiting.apply(MESSAGE), steps).then();
    assertThatCode(() -> all.block(Duration.ofSeconds(30))).doesNotThrowAnyException();
  }

  @Test
  void invalidOptionsAreRejected() {
    assertThatThrownBy(() -> options().withConcurrency(33))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options().withAttemptsMax(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options().withVisibility(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static OutboxWorker.Options options() {
    return OutboxWorker.Options.DEFAULT.withVisibility(Duration.ofSeconds(1));
  }
}
