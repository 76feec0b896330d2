package io.lazuli.storage.hbase.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.RegionServers.Liveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

/**
 * How many threads a region server may hold, and when its answers are trusted. The test controls
 * the time.
 */
class RegionServersTest {
  private static final ServerName DEAD = ServerName.valueOf("dead", 1, 1);
  private static final ServerName HEALTHY = ServerName.valueOf("healthy", 1, 1);
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final int TRANSACTIONS = 64;
  private static final int CALLERS = 8;

  private long nanos = 1;
  private final RegionServers servers =
      new RegionServers(SILENCE, TRANSACTIONS, CALLERS, () -> nanos);

  @Test
  void anUnreachableServerHoldsAQuarterOfTheThreadsOverAllTheirAttempts() {
    List<CallingThread> threads = threads(WorkerKind.TRANSACTIONS, TRANSACTIONS);
    threads.forEach(CallingThread::begin);
    List<CallingThread> circling = new ArrayList<>(threads);
    for (int attempt = 0; attempt < 3; attempt++) {
      circling.removeIf(thread -> !tries(thread, DEAD, Liveness.UNREACHABLE));
    }
    assertThat(circling).hasSize(TRANSACTIONS / 4);
    assertThat(threads(WorkerKind.TRANSACTIONS, 100))
        .noneMatch(late -> tries(late, DEAD, Liveness.UNREACHABLE));
    assertThat(threads(WorkerKind.TRANSACTIONS, 100))
        .allMatch(one -> tries(one, HEALTHY, Liveness.ALIVE));
  }

  @Test
  void threadsThatWaitForAnUnreachableServerKeepTheirSlots() {
    List<CallingThread> first = threads(WorkerKind.CALLERS, CALLERS / 4);
    first.forEach(CallingThread::begin);
    for (int attempt = 0; attempt < 100; attempt++) {
      assertThat(first).allMatch(thread -> tries(thread, DEAD, Liveness.UNREACHABLE));
    }
  }

  @Test
  void eachKindOfWorkerHasItsOwnQuarter() {
    List<CallingThread> callers = threads(WorkerKind.CALLERS, CALLERS);
    callers.forEach(CallingThread::begin);
    List<CallingThread> held = new ArrayList<>(callers);
    for (int attempt = 0; attempt < 2; attempt++) {
      held.removeIf(thread -> !tries(thread, DEAD, Liveness.UNREACHABLE));
    }
    assertThat(held).hasSize(CALLERS / 4);
    CallingThread transaction = new CallingThread(WorkerKind.TRANSACTIONS);
    transaction.begin();
    assertThat(tries(transaction, DEAD, Liveness.UNREACHABLE)).isTrue();
  }

  @Test
  void aSlotIsFreeWhenItsThreadGivesUp() {
    List<CallingThread> held = threads(WorkerKind.CALLERS, CALLERS / 4);
    held.forEach(CallingThread::begin);
    held.forEach(thread -> tries(thread, DEAD, Liveness.UNREACHABLE));
    CallingThread next = new CallingThread(WorkerKind.CALLERS);
    next.begin();
    assertThat(tries(next, DEAD, Liveness.UNREACHABLE)).isFalse();
    held.get(0).end();
    assertThat(tries(next, DEAD, Liveness.UNREACHABLE)).isTrue();
  }

  @Test
  void aSlotIsKeptDuringNestedCalls() {
    List<CallingThread> held = threads(WorkerKind.CALLERS, CALLERS / 4);
    held.forEach(CallingThread::begin);
    held.forEach(thread -> tries(thread, DEAD, Liveness.UNREACHABLE));
    held.forEach(CallingThread::begin);
    held.forEach(CallingThread::end);
    assertThat(tries(new CallingThread(WorkerKind.CALLERS), DEAD, Liveness.UNREACHABLE)).isFalse();
  }

  @Test
  void aThreadThatCallsAnotherServerReleasesItsSlot() {
    CallingThread moved = new CallingThread(WorkerKind.CALLERS);
    CallingThread stays = new CallingThread(WorkerKind.CALLERS);
    List.of(moved, stays).forEach(CallingThread::begin);
    tries(moved, DEAD, Liveness.UNREACHABLE);
    tries(stays, DEAD, Liveness.UNREACHABLE);
    assertThat(tries(moved, HEALTHY, Liveness.SILENT)).isTrue();
    assertThat(tries(new CallingThread(WorkerKind.CALLERS), DEAD, Liveness.UNREACHABLE)).isTrue();
  }

  @Test
  void aServerThatDoesNotAnswerCountsAsDeadAfterAWhile() {
    List<CallingThread> waiting = threads(WorkerKind.CALLERS, CALLERS);
    waiting.forEach(CallingThread::begin);
    List<RegionServers.ServerCall> serverCalls =
        waiting.stream().map(thread -> servers.begin(thread, DEAD)).toList();
    pass(Duration.ofMillis(2_001));
    assertThatThrownBy(() -> servers.begin(new CallingThread(WorkerKind.CALLERS), DEAD))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
    serverCalls.forEach(serverCall -> serverCall.end(Liveness.SILENT));
    long held = waiting.stream().filter(thread -> tries(thread, DEAD, Liveness.SILENT)).count();
    assertThat(held).isEqualTo(CALLERS / 4);
  }

  @Test
  void aBusyServerThatAnswersSometimesRefusesNoCall() {
    List<CallingThread> waiting = threads(WorkerKind.CALLERS, 10 * CALLERS);
    waiting.forEach(CallingThread::begin);
    waiting.forEach(thread -> servers.begin(thread, HEALTHY));
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofMillis(1_500));
      assertThat(tries(new CallingThread(WorkerKind.CALLERS), HEALTHY, Liveness.ALIVE)).isTrue();
    }
  }

  @Test
  void aServerThatAnswersAgainAcceptsAllCalls() {
    List<CallingThread> waiting = threads(WorkerKind.CALLERS, CALLERS / 4);
    waiting.forEach(CallingThread::begin);
    waiting.forEach(thread -> tries(thread, DEAD, Liveness.UNREACHABLE));
    tries(waiting.get(0), DEAD, Liveness.ALIVE);
    assertThat(threads(WorkerKind.CALLERS, 100))
        .allMatch(thread -> tries(thread, DEAD, Liveness.SILENT));
  }

  @Test
  void aLookupOfARegionWaitsForTheServerOfMeta() {
    List<CallingThread> asking = threads(WorkerKind.CALLERS, CALLERS / 4);
    asking.forEach(CallingThread::begin);
    asking.forEach(thread -> servers.beginMeta(thread).end(Liveness.UNREACHABLE));
    assertThatThrownBy(() -> servers.beginMeta(new CallingThread(WorkerKind.CALLERS)))
        .hasMessageContaining("hbase:meta");
  }

  @Test
  void anUnawaitedCallIsRefusedOnlyByADeadServerWithoutFreeSlots() {
    servers.beginUnawaited(WorkerKind.CALLERS, DEAD).end(Liveness.UNREACHABLE);
    servers.beginUnawaited(WorkerKind.CALLERS, DEAD).end(Liveness.UNREACHABLE);
    List<CallingThread> waiting = threads(WorkerKind.CALLERS, CALLERS / 4);
    waiting.forEach(CallingThread::begin);
    waiting.forEach(thread -> tries(thread, DEAD, Liveness.UNREACHABLE));
    assertThatThrownBy(() -> servers.beginUnawaited(WorkerKind.CALLERS, DEAD))
        .isInstanceOf(StorageException.class);
  }

  @Test
  void aConfirmedAnswerIsTrustedUntilTheSilence() {
    CallingThread thread = new CallingThread(WorkerKind.CALLERS);
    RegionServers.ServerCall first = servers.begin(thread, HEALTHY);
    assertThat(first.needsCheck()).isTrue();
    pass(Duration.ofSeconds(1));
    first.end(Liveness.ALIVE);
    assertThat(servers.begin(thread, HEALTHY).needsCheck()).as("nobody checked it").isTrue();
    first.confirm();
    pass(SILENCE.minusSeconds(1));
    assertThat(servers.begin(thread, HEALTHY).needsCheck()).isFalse();
    pass(Duration.ofNanos(1));
    assertThat(servers.begin(thread, HEALTHY).needsCheck()).as("counts from the sending").isTrue();
  }

  /** Makes one attempt. Returns false if it was refused. */
  private boolean tries(CallingThread thread, ServerName server, Liveness liveness) {
    try {
      servers.begin(thread, server).end(liveness);
      return true;
    } catch (StorageException e) {
      return false;
    }
  }

  private static List<CallingThread> threads(WorkerKind kind, int count) {
    return IntStream.range(0, count).mapToObj(i -> new CallingThread(kind)).toList();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
