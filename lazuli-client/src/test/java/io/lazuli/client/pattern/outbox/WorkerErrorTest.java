package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.models.TableEntity;
import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.AsyncTable;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** A step that throws an Error fails for its own message only, and at once. */
class WorkerErrorTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Work work = Work.fresh(client);
  private final QueueAsyncClient queue = client.queue(work.queue());
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** The ways in which the code of a step can end with an error. */
  enum Way {
    THROWN,
    THROWN_WHEN_SUBSCRIBED,
    THROWN_BY_AN_OPERATOR,
    SIGNALLED,
    BLOCKING,
    AFTER_ANOTHER_STEP,
    AFTER_A_BLOCKING_STEP;

    IdempotentStep step(Error error) {
      IdempotentStep throwing =
          message -> {
            throw error;
          };
      IdempotentStep later = message -> Mono.defer(() -> throwing.apply(message));
      return switch (this) {
        case THROWN -> throwing;
        case THROWN_WHEN_SUBSCRIBED -> later;
        case THROWN_BY_AN_OPERATOR ->
            message -> Mono.just(message).flatMap(same -> throwing.apply(same));
        case SIGNALLED -> message -> Mono.error(error);
        case BLOCKING -> IdempotentStep.blocking(message -> throwing.apply(message).block());
        case AFTER_ANOTHER_STEP -> IdempotentStep.blocking(message -> {}).then(throwing);
        case AFTER_A_BLOCKING_STEP -> IdempotentStep.blocking(message -> {}).then(later);
      };
    }
  }

  private IdempotentStep unlessGood(IdempotentStep bad) {
    return message ->
        message.kind().equals("good")
            ? Mono.fromRunnable(() -> seen.add(message.kind()))
            : bad.apply(message);
  }

  private OutboxWorker worker(IdempotentStep bad) {
    return work.worker(client, unlessGood(bad))
        .with(OutboxWorker.Options.DEFAULT.withAttemptsMax(1).withConcurrency(1))
        .onFailure(failures::add);
  }

  private void send(String kind) {
    work.outbox(client).send(new OutboxMessage(kind, new EntityKey("p", "r"))).block();
  }

  private void sendBadThenGood() {
    send("bad");
    send("good");
  }

  private void theCauseIsKnown(Error error) {
    assertThat(failures).containsExactly(error);
    assertThat(PoisonQueue.of(client.queue(work.poison())).peek().collectList().block())
        .singleElement()
        .satisfies(poisoned -> assertThat(poisoned.reason()).contains(error.toString()));
  }

  @ParameterizedTest
  @EnumSource
  void aVirtualMachineErrorFailsItsMessage(Way way) {
    anErrorFailsItsMessage(way, new StackOverflowError("deep"));
  }

  @ParameterizedTest
  @EnumSource
  void aLinkageErrorFailsItsMessage(Way way) {
    anErrorFailsItsMessage(way, new NoClassDefFoundError("com/example/Gone"));
  }

  private void anErrorFailsItsMessage(Way way, Error error) {
    sendBadThenGood();
    assertThat(worker(way.step(error)).runUntilEmpty().block(PATIENCE)).isEqualTo(1);
    assertThat(seen).containsExactly("good");
    theCauseIsKnown(error);
    assertThat(Work.messages(queue)).isZero();
  }

  @Test
  void anErrorInTheCodeAfterARequestFailsItsMessage() {
    Error error = new StackOverflowError("on a thread of the SDK");
    AsyncTable<TableEntity> table =
        AsyncTable.of(client.table(client.newTable()), EntityCodec.dynamic());
    sendBadThenGood();
    OutboxWorker worker =
        worker(
            message ->
                table
                    .upsertReplace(new TableEntity("p", "r"))
                    .then(table.find(message.key()))
                    .flatMap(
                        found -> {
                          throw error;
                        }));
    assertThat(worker.runUntilEmpty().block(PATIENCE)).isEqualTo(1);
    theCauseIsKnown(error);
  }

  @Test
  void aStartedWorkerContinuesAndCloses() {
    Error error = new OutOfMemoryError("thrown by a test");
    OutboxWorker worker = worker(Way.THROWN.step(error));
    worker.start();
    sendBadThenGood();
    Awaitility.await().until(() -> seen.size() == 1);
    theCauseIsKnown(error);
    worker.close();
  }

  @Test
  void aListenerThatThrowsDoesNotStopTheWorker() {
    Error error = new StackOverflowError("of the listener");
    sendBadThenGood();
    OutboxWorker worker =
        worker(message -> Mono.error(new IllegalStateException("of the step")))
            .onFailure(
                failure -> {
                  throw error;
                });
    assertThat(worker.runUntilEmpty().block(PATIENCE)).isEqualTo(1);
    assertThat(work.poisoned(client)).isEqualTo(1);
  }
}
