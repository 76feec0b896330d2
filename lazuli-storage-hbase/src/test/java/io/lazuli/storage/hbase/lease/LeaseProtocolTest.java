package io.lazuli.storage.hbase.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import io.lazuli.storage.hbase.lease.LeaseWorld.Checks;
import io.lazuli.storage.hbase.lease.LeaseWorld.ChecksOfServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The protocol of leases in thousands of simulated runs. No server answers for a dropped space, and
 * every rule is needed for that.
 */
final class LeaseProtocolTest {
  private static final int RUNS = 300;
  private static final int RUNS_LONG = 300_000;
  private static final int RUNS_OF_A_BROKEN_RULE = 3_000;

  @Test
  void noServerAnswersForADroppedSpace() {
    assertNoViolation(LeaseProtocolTest::real, RUNS);
  }

  @Test
  void theModelKeepsTheSamePromise() {
    assertNoViolation(ModelLease::new, RUNS);
  }

  @Test
  @Tag("long")
  void noServerAnswersForADroppedSpaceInManyRuns() {
    assertNoViolation(LeaseProtocolTest::real, RUNS_LONG);
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void everyRuleIsNeeded(Rule rule) {
    for (int seed = 0; seed < RUNS_OF_A_BROKEN_RULE; seed++) {
      List<String> violations = new LeaseWorld(seed, rule).run(ModelLease::new);
      if (!violations.isEmpty()) {
        System.out.printf("without %s, seed %d: %s%n", rule, seed, violations.get(0));
        return;
      }
    }
    throw new AssertionError("nothing goes wrong without " + rule);
  }

  private static void assertNoViolation(ChecksOfServer checks, int runs) {
    long answers = 0;
    long covered = 0;
    long drops = 0;
    for (int seed = 0; seed < runs; seed++) {
      LeaseWorld world = new LeaseWorld(seed, null);
      assertThat(world.run(checks)).as("seed %d", seed).isEmpty();
      answers += world.answers();
      covered += world.covered();
      drops += world.drops();
    }
    System.out.printf(
        "%d runs: %d answers, %d of them without a call, %d drops%n",
        runs, answers, covered, drops);
    // The runs would prove nothing if hardly any answer relied on a lease.
    assertThat(covered).isGreaterThan(20L * runs);
    assertThat(answers - covered).isGreaterThan(20L * runs);
    assertThat(drops).isGreaterThan(3L * runs);
  }

  /** The engine's own class, with the clock and the rows of the simulation. */
  private static Checks real(LeaseWorld world, int server, int length) {
    HomeLease lease =
        new HomeLease(
            new SimulatedRows(world, server), Duration.ofNanos(length), () -> world.clock(server));
    return space -> {
      lease.prepare();
      return () ->
          lease.check(space).handle((exists, failure) -> failure == null || !isGone(failure));
    };
  }

  private static boolean isGone(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof StorageException e && e.kind() == StorageException.Kind.SPACE_GONE) {
      return true;
    }
    throw new AssertionError(failure);
  }

  private record SimulatedRows(LeaseWorld world, int server) implements HomeStore {
    @Override
    public CompletableFuture<HomeRecord> read() {
      return world.readHome(server);
    }

    @Override
    public CompletableFuture<Boolean> isDropped(long space) {
      return world.readDropped(server, space);
    }

    @Override
    public void withdraw(Set<Announcement> abandoned) {
      // The simulation withdraws announcements at random, which is harder.
    }
  }
}
