package io.lazuli.storage.hbase.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.RegionServers.Sign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

/** Whom a region server may hold, and when its answers are believed. Time is the test's own. */
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
  void aServerThatIsGoneHoldsAQuarterOfTheThreadsOverAllTheirAttempts() {
    List<Waiter> threads = waiters(Crew.TRANSACTIONS, TRANSACTIONS);
    threads.forEach(Waiter::begin);
    List<Waiter> circling = new ArrayList<>(threads);
    for (int attempt = 0; attempt < 3; attempt++) {
      circling.removeIf(thread -> !tries(thread, DEAD, Sign.GONE));
    }
    assertThat(circling).hasSize(TRANSACTIONS / 4);
    assertThat(waiters(Crew.TRANSACTIONS, 100)).noneMatch(late -> tries(late, DEAD, Sign.GONE));
    assertThat(waiters(Crew.TRANSACTIONS, 100)).allMatch(one -> tries(one, HEALTHY, Sign.ALIVE));
  }

  @Test
  void thoseWhoWaitForAServerThatIsGoneKeepTheirPlaces() {
    List<Waiter> first = waiters(Crew.CALLERS, CALLERS / 4);
    first.forEach(Waiter::begin);
    for (int attempt = 0; attempt < 100; attempt++) {
      assertThat(first).allMatch(waiter -> tries(waiter, DEAD, Sign.GONE));
    }
  }

  @Test
  void eachCrewHasItsOwnQuarter() {
    List<Waiter> callers = waiters(Crew.CALLERS, CALLERS);
    callers.forEach(Waiter::begin);
    List<Waiter> held = new ArrayList<>(callers);
    for (int attempt = 0; attempt < 2; attempt++) {
      held.removeIf(thread -> !tries(thread, DEAD, Sign.GONE));
    }
    assertThat(held).hasSize(CALLERS / 4);
    Waiter transaction = new Waiter(Crew.TRANSACTIONS);
    transaction.begin();
    assertThat(tries(transaction, DEAD, Sign.GONE)).isTrue();
  }

  @Test
  void aPlaceIsFreeWhenItsThreadGivesUp() {
    List<Waiter> held = waiters(Crew.CALLERS, CALLERS / 4);
    held.forEach(Waiter::begin);
    held.forEach(waiter -> tries(waiter, DEAD, Sign.GONE));
    Waiter next = new Waiter(Crew.CALLERS);
    next.begin();
    assertThat(tries(next, DEAD, Sign.GONE)).isFalse();
    held.get(0).end();
    assertThat(tries(next, DEAD, Sign.GONE)).isTrue();
  }

  @Test
  void aPlaceIsKeptWhileSomethingIsLookedUpInBetween() {
    List<Waiter> held = waiters(Crew.CALLERS, CALLERS / 4);
    held.forEach(Waiter::begin);
    held.forEach(waiter -> tries(waiter, DEAD, Sign.GONE));
    held.forEach(Waiter::begin);
    held.forEach(Waiter::end);
    assertThat(tries(new Waiter(Crew.CALLERS), DEAD, Sign.GONE)).isFalse();
  }

  @Test
  void whoTurnsToAnotherServerLeavesItsPlace() {
    Waiter moved = new Waiter(Crew.CALLERS);
    Waiter stays = new Waiter(Crew.CALLERS);
    List.of(moved, stays).forEach(Waiter::begin);
    tries(moved, DEAD, Sign.GONE);
    tries(stays, DEAD, Sign.GONE);
    assertThat(tries(moved, HEALTHY, Sign.NONE)).isTrue();
    assertThat(tries(new Waiter(Crew.CALLERS), DEAD, Sign.GONE)).isTrue();
  }

  @Test
  void aServerThatStandsStillIsTakenForDeadAfterAWhile() {
    List<Waiter> waiting = waiters(Crew.CALLERS, CALLERS);
    waiting.forEach(Waiter::begin);
    List<RegionServers.Visit> visits =
        waiting.stream().map(waiter -> servers.visit(waiter, DEAD)).toList();
    pass(Duration.ofMillis(2_001));
    assertThatThrownBy(() -> servers.visit(new Waiter(Crew.CALLERS), DEAD))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
    visits.forEach(visit -> visit.end(Sign.NONE));
    long held = waiting.stream().filter(waiter -> tries(waiter, DEAD, Sign.NONE)).count();
    assertThat(held).isEqualTo(CALLERS / 4);
  }

  @Test
  void aBusyServerThatAnswersNowAndThenRefusesNobody() {
    List<Waiter> waiting = waiters(Crew.CALLERS, 10 * CALLERS);
    waiting.forEach(Waiter::begin);
    waiting.forEach(waiter -> servers.visit(waiter, HEALTHY));
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofMillis(1_500));
      assertThat(tries(new Waiter(Crew.CALLERS), HEALTHY, Sign.ALIVE)).isTrue();
    }
  }

  @Test
  void aServerThatComesBackIsOpenToAll() {
    List<Waiter> waiting = waiters(Crew.CALLERS, CALLERS / 4);
    waiting.forEach(Waiter::begin);
    waiting.forEach(waiter -> tries(waiter, DEAD, Sign.GONE));
    tries(waiting.get(0), DEAD, Sign.ALIVE);
    assertThat(waiters(Crew.CALLERS, 100)).allMatch(waiter -> tries(waiter, DEAD, Sign.NONE));
  }

  @Test
  void whoAsksWhereARegionIsWaitsForTheServerOfTheAnswers() {
    List<Waiter> asking = waiters(Crew.CALLERS, CALLERS / 4);
    asking.forEach(Waiter::begin);
    asking.forEach(waiter -> servers.visitMeta(waiter).end(Sign.GONE));
    assertThatThrownBy(() -> servers.visitMeta(new Waiter(Crew.CALLERS)))
        .hasMessageContaining("hbase:meta");
  }

  @Test
  void aCallThatNobodyWaitsForIsRefusedOnlyByAFullDeadServer() {
    servers.glance(Crew.CALLERS, DEAD).end(Sign.GONE);
    servers.glance(Crew.CALLERS, DEAD).end(Sign.GONE);
    List<Waiter> waiting = waiters(Crew.CALLERS, CALLERS / 4);
    waiting.forEach(Waiter::begin);
    waiting.forEach(waiter -> tries(waiter, DEAD, Sign.GONE));
    assertThatThrownBy(() -> servers.glance(Crew.CALLERS, DEAD))
        .isInstanceOf(StorageException.class);
  }

  @Test
  void anAnswerThatWasVouchedForIsBelievedUntilTheSilence() {
    Waiter waiter = new Waiter(Crew.CALLERS);
    RegionServers.Visit first = servers.visit(waiter, HEALTHY);
    assertThat(first.isDoubtful()).isTrue();
    pass(Duration.ofSeconds(1));
    first.end(Sign.ALIVE);
    assertThat(servers.visit(waiter, HEALTHY).isDoubtful()).as("nobody checked it").isTrue();
    first.vouch();
    pass(SILENCE.minusSeconds(1));
    assertThat(servers.visit(waiter, HEALTHY).isDoubtful()).isFalse();
    pass(Duration.ofNanos(1));
    assertThat(servers.visit(waiter, HEALTHY).isDoubtful()).as("counts from the sending").isTrue();
  }

  /** One attempt; false if it was refused. */
  private boolean tries(Waiter waiter, ServerName server, Sign sign) {
    try {
      servers.visit(waiter, server).end(sign);
      return true;
    } catch (StorageException e) {
      return false;
    }
  }

  private static List<Waiter> waiters(Crew crew, int count) {
    return IntStream.range(0, count).mapToObj(i -> new Waiter(crew)).toList();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
