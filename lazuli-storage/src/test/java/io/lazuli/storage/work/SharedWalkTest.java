package io.lazuli.storage.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds of walks on one server and on several, in simulated time. */
class SharedWalkTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int PIECES = 10;

  private final MapRows rows = new MapRows();
  private final List<String> done = new ArrayList<>();
  private long nanos = 1;
  private long sessions;

  /** A server with one walk, whose rounds have ten pieces. */
  private final class Server {
    private final String name;
    private final WorkLeases leases;
    private final SharedWalk walk;

    Server(String name, boolean shared, int shards, Pace pace) {
      this.name = name;
      leases = new WorkLeases(rows, shared, name, () -> nanos, () -> ++sessions);
      leases.add("walk", shards);
      walk = new SharedWalk(leases, "walk", shards, pace, SharedWalkTest.this::ticks, () -> nanos);
    }

    Duration step() throws Exception {
      return walk.step(
          SECOND,
          (shard, from, full) -> {
            int at = from.length() == 0 ? 0 : from.array()[0];
            done.add(name + shard + ":" + at + (full ? "!" : ""));
            return at == PIECES - 1 ? null : Bytes.of(new byte[] {(byte) (at + 1)});
          });
    }

    /** Beats and works for some time. */
    void run(Duration time) throws Exception {
      for (long end = nanos + time.toNanos(); nanos < end; pass(SECOND)) {
        if (nanos / SECOND.toNanos() % WorkLeases.BEAT.toSeconds() == 0) {
          leases.beat();
        }
        Duration unused = step();
      }
    }
  }

  private long ticks() {
    return Ticks.PER_SECOND * 1_000_000 + nanos / 100;
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private Server alone(String name) {
    return new Server(name, false, 1, Pace.every(Duration.ofHours(1)));
  }

  private Server oneOfMany(String name, int shards) {
    return new Server(name, true, shards, Pace.every(Duration.ofHours(1)));
  }

  @Test
  void aProcessContinuesWhereTheLastOneStopped() throws Exception {
    Server first = alone("a");
    first.leases.beat();
    for (int i = 0; i < 4; i++) {
      Duration unused = first.step();
    }
    first.leases.leave(null);
    Server second = alone("b");
    second.leases.beat();
    Duration unused = second.step();
    assertThat(done).containsExactly("a0:0!", "a0:1!", "a0:2!", "a0:3!", "b0:4!");
  }

  @Test
  void aKilledProcessLosesAFewSecondsOfItsRound() throws Exception {
    Server first = alone("a");
    first.run(Duration.ofSeconds(9));
    done.clear();
    Server second = alone("b");
    second.leases.beat();
    Duration unused = second.step();
    assertThat(done).hasSize(1);
    assertThat(done.get(0)).matches("b0:[4-8]!");
  }

  @Test
  void aRestartDoesNotBeginAnotherRound() throws Exception {
    Server first = alone("a");
    first.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(PIECES);
    pass(Duration.ofMinutes(30));
    Server second = alone("b");
    second.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(PIECES);
    pass(Duration.ofMinutes(30));
    second.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(2 * PIECES);
  }

  @Test
  void serversShareTheShards() throws Exception {
    Server a = oneOfMany("a", 4);
    Server b = oneOfMany("b", 4);
    a.leases.beat();
    assertThat(a.leases.held("walk")).hasSize(4);
    b.leases.beat();
    assertThat(b.leases.held("walk")).isEmpty();
    a.leases.beat();
    assertThat(a.leases.held("walk")).hasSize(2);
    b.leases.beat();
    assertThat(b.leases.held("walk")).hasSize(2);
  }

  @Test
  void aServerGetsNoShardsOfAWalkThatItDoesNotKnow() {
    Server a = oneOfMany("a", 2);
    WorkLeases other = new WorkLeases(rows, true, "b", () -> nanos, () -> ++sessions);
    for (int i = 0; i < 3; i++) {
      other.beat();
      a.leases.beat();
    }
    assertThat(a.leases.held("walk")).hasSize(2);
    assertThat(other.held("walk")).isEmpty();
  }

  @Test
  void aDeadServersRoundIsContinuedWithinTwentySeconds() throws Exception {
    Server a = oneOfMany("a", 1);
    a.run(Duration.ofSeconds(7));
    done.clear();
    Server b = oneOfMany("b", 1);
    long died = nanos;
    while (done.isEmpty()) {
      b.run(SECOND);
    }
    assertThat(Duration.ofNanos(nanos - died))
        .isBetween(WorkLeases.SILENCE, SECOND.multipliedBy(21));
    assertThat(done.get(0)).matches("b0:[4-6]!");
    assertThat(b.leases.takenOver()).isEqualTo(1);
  }

  @Test
  void aServerThatLeavesIsFollowedAtTheNextBeat() throws Exception {
    Server a = oneOfMany("a", 1);
    a.run(Duration.ofSeconds(7));
    a.leases.leave(null);
    done.clear();
    Server b = oneOfMany("b", 1);
    b.leases.beat();
    Duration unused = b.step();
    assertThat(done).containsExactly("b0:7!");
    assertThat(b.leases.takenOver()).isZero();
  }

  @Test
  void aPausedServerDoesNotBeginAPieceWhenItWakes() throws Exception {
    Server a = oneOfMany("a", 1);
    a.run(Duration.ofSeconds(7));
    done.clear();
    pass(Duration.ofSeconds(12));
    Duration unused = a.step();
    assertThat(done).as("its beat is too old").isEmpty();
    a.leases.beat();
    unused = a.step();
    assertThat(done).as("nobody has ended its session").hasSize(1);
  }

  @Test
  void aPausedServerWhoseSessionWasEndedGetsNothingBack() throws Exception {
    Server a = oneOfMany("a", 1);
    a.run(Duration.ofSeconds(7));
    Held before = a.leases.held("walk").get(0);
    Server b = oneOfMany("b", 1);
    b.run(Duration.ofSeconds(25));
    assertThat(a.leases.store(before, before.state())).isFalse();
    a.leases.beat();
    assertThat(a.leases.expelled()).isEqualTo(1);
    done.clear();
    Duration unused = a.step();
    a.leases.beat();
    unused = a.step();
    assertThat(done).isEmpty();
    assertThat(b.leases.held("walk")).hasSize(1);
  }

  @Test
  void aFullRoundFollowsALossButNotEachLoss() throws Exception {
    Pace pace = Pace.withFullRounds(Duration.ofHours(1), Duration.ofDays(7), Duration.ofHours(6));
    Server a = new Server("a", false, 1, pace);
    a.run(Duration.ofSeconds(20));
    assertThat(done).as("the first round").hasSize(PIECES).allMatch(line -> line.endsWith("!"));
    done.clear();
    pass(Duration.ofHours(1));
    a.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(PIECES).noneMatch(line -> line.endsWith("!"));
    // The process ends without order, so the next one finds its mark.
    done.clear();
    pass(Duration.ofHours(1));
    Server b = new Server("b", false, 1, pace);
    b.run(Duration.ofSeconds(20));
    assertThat(done).as("too soon").hasSize(PIECES).noneMatch(line -> line.endsWith("!"));
    done.clear();
    pass(Duration.ofHours(5));
    b.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(PIECES).allMatch(line -> line.endsWith("!"));
    done.clear();
    pass(Duration.ofHours(7));
    b.run(Duration.ofSeconds(20));
    assertThat(done).as("nothing was lost").noneMatch(line -> line.endsWith("!"));
    done.clear();
    pass(Duration.ofDays(8));
    b.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(PIECES).allMatch(line -> line.endsWith("!"));
  }

  @Test
  void anOrderlyEndIsNoLoss() throws Exception {
    Pace pace = Pace.withFullRounds(Duration.ofHours(1), Duration.ofDays(7), Duration.ZERO);
    Server a = new Server("a", false, 1, pace);
    a.run(Duration.ofSeconds(20));
    a.leases.leave(null);
    Server b = new Server("b", false, 1, pace);
    done.clear();
    pass(Duration.ofHours(1));
    b.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(PIECES).noneMatch(line -> line.endsWith("!"));
  }

  @Test
  void aProcessKnowsFromItsFirstBeatThatTheLastOneWasKilled() throws Exception {
    Server killed = new Server("a", false, 1, Pace.afterLoss());
    killed.run(Duration.ofSeconds(20));
    done.clear();
    Server next = new Server("b", false, 1, Pace.afterLoss());
    next.leases.beat();
    Duration unused = next.step();
    assertThat(done).containsExactly("b0:0!");
  }

  @Test
  void notesOfAServerThatEndedGoToOneOther() {
    Server a = oneOfMany("a", 1);
    List<byte[]> unused = a.leases.beat();
    a.leases.leave(new byte[] {7});
    Server b = oneOfMany("b", 1);
    assertThat(b.leases.beat()).as("it does not take notes").isEmpty();
    b.leases.takeNotes();
    Server c = oneOfMany("c", 1);
    c.leases.takeNotes();
    assertThat(b.leases.beat()).containsExactly(new byte[] {7});
    assertThat(c.leases.beat()).isEmpty();
    assertThat(b.leases.losses()).isZero();
  }

  @Test
  void anHourlyWalkFollowsTheClock() {
    long hour = 3_600 * Ticks.PER_SECOND;
    ShardState at = ShardState.NEW.begun(10 * hour + hour / 2, false, 0);
    assertThat(Pace.hourly().dueTicks(at.after(null, 10 * hour + hour * 3 / 4), 0))
        .isEqualTo(11 * hour);
  }

  @Test
  void aWalkThatOnlyFollowsLossesRestsAfterAnOrderlyEnd() throws Exception {
    Server a = new Server("a", false, 1, Pace.afterLoss());
    a.run(Duration.ofSeconds(20));
    a.leases.leave(null);
    assertThat(done).hasSize(PIECES);
    Server b = new Server("b", false, 1, Pace.afterLoss());
    pass(Duration.ofDays(1));
    b.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(PIECES);
    Server c = new Server("c", false, 1, Pace.afterLoss());
    c.run(Duration.ofSeconds(20));
    assertThat(done).as("b was killed").hasSize(2 * PIECES);
    c.walk.request();
    c.run(Duration.ofSeconds(20));
    assertThat(done).hasSize(3 * PIECES);
  }

  @Test
  void aPieceThatFailsIsRepeated() throws Exception {
    Server a = alone("a");
    a.leases.beat();
    Duration unused = a.step();
    assertThatThrownBy(
            () ->
                a.walk.step(
                    SECOND,
                    (shard, from, full) -> {
                      throw new IllegalStateException("busy");
                    }))
        .hasMessage("busy");
    unused = a.step();
    assertThat(done).containsExactly("a0:0!", "a0:1!");
  }

  @Test
  void aShardThatAlwaysFailsDoesNotStopTheOthers() throws Exception {
    Server a = new Server("a", false, 3, Pace.every(Duration.ofHours(1)));
    a.leases.beat();
    int failures = 0;
    for (int i = 0; i < 3 * PIECES; i++) {
      failures += stepWithout(0, a) ? 0 : 1;
      pass(SECOND);
    }
    assertThat(done).contains("a1:9", "a2:9").noneMatch(line -> line.startsWith("a0"));
    assertThat(failures).as("again after the others").isEqualTo(PIECES);
    done.clear();
    pass(Duration.ofMinutes(2));
    Duration unused = a.step();
    assertThat(done).as("nothing else is due").containsExactly("a0:0!");
  }

  @Test
  void shardsThatFailHaveTheirTurnsOneAfterTheOther() {
    Server a = new Server("a", false, 3, Pace.every(Duration.ofHours(1)));
    a.leases.beat();
    List<Integer> turns = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      assertThatThrownBy(
              () ->
                  a.walk.step(
                      SECOND,
                      (shard, from, full) -> {
                        turns.add(shard);
                        throw new IllegalStateException("busy");
                      }))
          .hasMessage("busy");
      pass(Duration.ofMinutes(1));
    }
    assertThat(turns).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
  }

  /** Returns false if a shard's turn came, which fails. */
  private boolean stepWithout(int failing, Server server) throws Exception {
    boolean[] fails = {false};
    try {
      Duration unused =
          server.walk.step(
              SECOND,
              (shard, from, full) -> {
                if (shard == failing) {
                  fails[0] = true;
                  throw new IllegalStateException("busy");
                }
                int at = from.length() == 0 ? 0 : from.array()[0];
                done.add("a" + shard + ":" + at);
                return at == PIECES - 1 ? null : Bytes.of(new byte[] {(byte) (at + 1)});
              });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("busy");
    }
    return !fails[0];
  }

  @Test
  void theFirstPieceOfARoundIsStoredIfItTookLong() throws Exception {
    Server a = alone("a");
    a.leases.beat();
    Bytes reached = Bytes.of(new byte[] {7});
    Duration unused =
        a.walk.step(
            SECOND,
            (shard, from, full) -> {
              pass(SharedWalk.PIECE);
              return reached;
            });
    assertThat(ShardState.decode(rows.rows.get(new ShardKey("walk", 0).row())).cursor())
        .isEqualTo(reached);
  }

  @Test
  void rowsOfALaterVersionAreTakenForNew() {
    assertThat(ShardState.decode(new byte[] {2, 0, 0})).isEqualTo(ShardState.NEW);
    ShardState state = new ShardState(7, 1, 2, 3, 4, true, Bytes.of(new byte[] {9}));
    assertThat(ShardState.decode(state.encode())).isEqualTo(state);
  }
}
