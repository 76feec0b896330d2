package io.lazuli.storage.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The protocol of shared work in simulated runs. No two servers do a shard at the same time, no
 * cursor goes back, all shards are done in the end, and every rule is needed for that.
 */
class WorkProtocolTest {
  private static final int RUNS = 100;
  private static final int RUNS_LONG = 20_000;
  private static final int RUNS_OF_A_BROKEN_RULE = 3_000;

  @Test
  void noTwoServersDoAShard() {
    assertNoViolation(RUNS);
  }

  @Test
  @Tag("long")
  void noTwoServersDoAShardInManyRuns() {
    assertNoViolation(RUNS_LONG);
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void everyRuleIsNeeded(Rule rule) {
    for (int seed = 0; seed < RUNS_OF_A_BROKEN_RULE; seed++) {
      List<String> violations = new WorkWorld(seed, rule).run();
      if (!violations.isEmpty()) {
        System.out.printf("without %s, seed %d: %s%n", rule, seed, violations.get(0));
        return;
      }
    }
    throw new AssertionError("nothing goes wrong without " + rule);
  }

  private static void assertNoViolation(int runs) {
    long pieces = 0;
    long takenOver = 0;
    for (int seed = 0; seed < runs; seed++) {
      WorkWorld world = new WorkWorld(seed, null);
      assertThat(world.run()).as("seed %d", seed).isEmpty();
      pieces += world.pieces();
      takenOver += world.takenOver();
    }
    System.out.printf("%d runs: %d pieces, %d shards taken over%n", runs, pieces, takenOver);
    // The runs would prove nothing if servers hardly ever worked, or never died.
    assertThat(pieces).isGreaterThan(50L * runs);
    assertThat(takenOver).isGreaterThan(runs);
  }
}
