package io.lazuli.storage.hbase.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.ServerCall.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ServerName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How many calls a region server gets at a time, how many wait, and when its answers are trusted.
 * The test answers the calls and controls the time.
 */
class RegionServersTest {
  private static final ServerName PAUSED = ServerName.valueOf("paused", 1, 1);
  private static final ServerName HEALTHY = ServerName.valueOf("healthy", 1, 1);
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final int CALLS = 3;
  private static final int QUEUED = 4;

  private final EngineThreads threads = new EngineThreads();
  private final AtomicLong nanos = new AtomicLong(1);
  private final RegionServers servers =
      new RegionServers(CALLS, QUEUED, SILENCE, threads, nanos::get);

  /** The calls that were sent, in order. */
  private final List<CompletableFuture<Integer>> sent = new CopyOnWriteArrayList<>();

  @AfterEach
  void end() {
    servers.close();
    threads.close();
  }

  @Test
  void callsBeyondTheBoundWaitAndThenFail() {
    List<ServerCall<Integer>> calls = calls(PAUSED, CALLS + QUEUED);
    assertThat(sent).hasSize(CALLS);
    assertThat(calls).noneMatch(call -> call.result().isDone());
    assertKind(StorageException.Kind.UNAVAILABLE, call(PAUSED).result());
    sent.get(0).complete(7);
    assertThat(calls.get(0).result().join()).isEqualTo(7);
    Awaitility.await().until(() -> sent.size() == CALLS + 1);
    assertThat(calls.get(1).result()).isNotDone();
  }

  @Test
  void aServerThatDoesNotAnswerTakesNothingFromTheOthers() {
    calls(PAUSED, CALLS + QUEUED);
    for (int i = 0; i < 100; i++) {
      ServerCall<Integer> call = call(HEALTHY);
      sent.get(sent.size() - 1).complete(i);
      assertThat(call.result().join()).isEqualTo(i);
    }
  }

  @Test
  void pagesHaveALaneOfTheirOwn() {
    calls(PAUSED, CALLS + QUEUED);
    ServerCall<Integer> page = call(PAUSED, Patience.PAGE, Deadline.NEVER, false);
    sent.get(CALLS).complete(1);
    assertThat(page.result().join()).isEqualTo(1);
  }

  /** Each may keep a thread of the region server for a second, and other servers search too. */
  @Test
  void fewSearchesAreUnderWayAtATime() {
    for (int i = 0; i < 4; i++) {
      call(PAUSED, Patience.SEARCH, Deadline.NEVER, false);
    }
    assertThat(sent).hasSize(3);
    ServerCall<Integer> page = call(PAUSED, Patience.PAGE, Deadline.NEVER, false);
    sent.get(3).complete(1);
    assertThat(page.result().join()).isEqualTo(1);
    sent.get(0).complete(1);
    Awaitility.await().until(() -> sent.size() == 5);
  }

  @Test
  void anAnswerArrivesOnAWorker() {
    List<String> names = new ArrayList<>();
    ServerCall<Integer> call = call(HEALTHY);
    CompletableFuture<Boolean> noted =
        call.result().thenApply(answer -> names.add(Thread.currentThread().getName()));
    new Thread(() -> sent.get(0).complete(1), "a thread of HBase").start();
    noted.join();
    assertThat(names).allMatch(name -> name.startsWith(EngineThreads.WORKER)).hasSize(1);
  }

  @Test
  void aWaitingCallFailsAtItsDeadline() {
    calls(PAUSED, CALLS);
    Deadline soon = Deadline.after(Duration.ofMillis(1));
    ServerCall<Integer> waiting = call(PAUSED, Patience.UNTIL_ANSWER, soon, false);
    assertKind(StorageException.Kind.UNAVAILABLE, waiting.result());
    sent.get(0).complete(1);
    assertThat(sent).as("it is not sent later").hasSize(CALLS);
  }

  @Test
  void aReadFailsAtItsDeadlineButKeepsItsPlaceUntilTheServerAnswers() {
    Deadline soon = Deadline.after(Duration.ofMillis(200));
    ServerCall<Integer> read = call(PAUSED, Patience.UNTIL_DEADLINE, soon, false);
    calls(PAUSED, CALLS);
    assertThat(sent).hasSize(CALLS);
    assertThatThrownBy(() -> read.result().join()).hasCauseInstanceOf(CallFailure.class);
    assertThat(sent).hasSize(CALLS);
    sent.get(0).complete(1);
    Awaitility.await().until(() -> sent.size() == CALLS + 1);
  }

  @Test
  void aWriteWaitsForItsAnswerBeyondItsDeadline() {
    Deadline soon = Deadline.after(Duration.ofMillis(200));
    ServerCall<Integer> write = call(PAUSED, Patience.UNTIL_ANSWER, soon, false);
    Awaitility.await().until(soon::hasPassed);
    servers.sweep();
    sent.get(0).complete(1);
    assertThat(write.result().join()).isEqualTo(1);
  }

  @Test
  void aCallThatTheLibraryForgetsEndsAfterAWhile() {
    List<ServerCall<Integer>> calls = calls(PAUSED, CALLS + 1);
    nanos.addAndGet(ServerCall.WAIT_MAX.toNanos() + 1);
    assertThatThrownBy(() -> calls.get(0).result().join()).hasCauseInstanceOf(CallFailure.class);
    Awaitility.await().until(() -> sent.size() == CALLS + 1);
  }

  @Test
  void aWaitingCallWhoseRegionMovesIsSentToTheOtherServer() {
    calls(PAUSED, CALLS);
    ServerCall<Integer> moved = call(PAUSED, Patience.UNTIL_ANSWER, Deadline.NEVER, true);
    assertThatThrownBy(() -> moved.result().join())
        .hasCauseInstanceOf(CallFailure.class)
        .cause()
        .satisfies(
            e -> assertThat(((CallFailure) e).meaning()).isEqualTo(CallFailure.Meaning.NOT_SENT));
  }

  @Test
  void closingFailsEveryCall() {
    List<ServerCall<Integer>> calls = calls(PAUSED, CALLS + QUEUED);
    servers.close();
    calls.forEach(call -> assertKind(StorageException.Kind.CLOSED, call.result()));
    assertKind(StorageException.Kind.CLOSED, call(PAUSED).result());
  }

  @Test
  void aFailureOfTheLibraryHasAMeaning() {
    ServerCall<Integer> call = call(HEALTHY);
    sent.get(0).completeExceptionally(new IOException("reset"));
    assertThatThrownBy(() -> call.result().join())
        .hasCauseInstanceOf(CallFailure.class)
        .hasMessageContaining("reset");
  }

  @Test
  void aConfirmedAnswerIsTrustedUntilTheSilence() {
    ServerCall<Integer> first = call(HEALTHY);
    assertThat(first.needsCheck()).isTrue();
    pass(Duration.ofSeconds(1));
    sent.get(0).complete(1);
    first.result().join();
    ServerCall<Integer> second = call(HEALTHY);
    assertThat(second.needsCheck()).as("nobody checked it").isTrue();
    first.confirm();
    sent.get(1).complete(1);
    second.result().join();
    pass(SILENCE.minusSeconds(1));
    assertThat(call(HEALTHY).needsCheck()).isFalse();
    pass(Duration.ofNanos(1));
    assertThat(call(HEALTHY).needsCheck()).as("counts from the sending").isTrue();
  }

  private List<ServerCall<Integer>> calls(ServerName server, int count) {
    List<ServerCall<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(call(server));
    }
    return calls;
  }

  private ServerCall<Integer> call(ServerName server) {
    return call(server, Patience.UNTIL_ANSWER, Deadline.NEVER, false);
  }

  private ServerCall<Integer> call(
      ServerName server, Patience patience, Deadline deadline, boolean moved) {
    return servers
        .of(server)
        .call(
            deadline,
            patience,
            () -> {
              CompletableFuture<Integer> answer = new CompletableFuture<>();
              sent.add(answer);
              return answer;
            },
            () -> moved);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static void assertKind(StorageException.Kind kind, CompletableFuture<?> result) {
    assertThatThrownBy(result::join)
        .cause()
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
