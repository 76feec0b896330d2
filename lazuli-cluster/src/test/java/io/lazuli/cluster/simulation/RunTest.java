package io.lazuli.cluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lazuli.cluster.simulation.Scenario.Faults;
import io.lazuli.cluster.simulation.Scenario.Load;
import io.lazuli.cluster.simulation.Scenario.Nodes;
import io.lazuli.cluster.simulation.Scenario.Pauses;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class RunTest {
  private static final Duration WARM_UP = Duration.ofMillis(200);
  private static final Map<Kind, Double> GETS = Map.of(Kind.GET, 1.0);

  private static Scenario scenario(int servers, Map<Kind, Double> mix) {
    return new Scenario(
        new Nodes(servers, 1, servers, 2),
        new Load(mix, 1_000, 0, 0, 1, false),
        Faults.NONE,
        Costs.measured(),
        3);
  }

  @Test
  void theSameSeedHasTheSameResult() {
    Scenario scenario = scenario(3, Scale.MIX);
    Result one = Run.open(scenario, 5_000, WARM_UP, Duration.ofSeconds(1));
    Result two = Run.open(scenario, 5_000, WARM_UP, Duration.ofSeconds(1));
    Result other = Run.open(scenario.withSeed(4), 5_000, WARM_UP, Duration.ofSeconds(1));
    assertThat(two.rate()).isEqualTo(one.rate());
    assertThat(two.p99Millis()).isEqualTo(one.p99Millis());
    assertThat(two.resources()).isEqualTo(one.resources());
    assertThat(other.times().mean()).isNotEqualTo(one.times().mean());
  }

  @Test
  void everyRequestThatComesIsServed() {
    Result result = Run.open(scenario(3, Scale.MIX), 5_000, WARM_UP, Duration.ofSeconds(4));
    assertThat(result.refused()).isZero();
    assertThat(result.rate()).isCloseTo(5_000, Percentage.withPercentage(3));
  }

  @Test
  void clientsOfAClosedLoopObeyLittlesLaw() {
    for (int clients : new int[] {1, 8, 64}) {
      Scenario scenario = scenario(2, Scale.MIX);
      Result result = Run.closed(scenario, clients, WARM_UP, Duration.ofSeconds(1));
      double cycle = result.times().mean() + scenario.costs().client();
      assertThat(result.rate() * cycle / 1e9).isCloseTo(clients, Percentage.withPercentage(3));
    }
  }

  @Test
  void aProcessorIsUsedAsMuchAsItsRequestsCost() {
    Scenario scenario = scenario(1, Map.of(Kind.QUERY, 1.0));
    double rate = 2_000;
    Result result = Run.open(scenario, rate, WARM_UP, Duration.ofSeconds(4));
    double cost =
        scenario.costs().of(Kind.QUERY).region() + scenario.costs().of(Kind.QUERY).regionCall();
    double used =
        result.resources().stream()
            .filter(each -> each.name().equals("processors of region servers"))
            .findAny()
            .orElseThrow()
            .utilisation();
    assertThat(used)
        .isCloseTo(
            rate * cost / 1e9 + scenario.costs().idleRegionServer(), Percentage.withPercentage(3));
  }

  @Test
  void readsShareCallsWhenManyComeAtTheSameTime() {
    Scenario scenario = scenario(1, GETS);
    Result few = Run.closed(scenario, 3, WARM_UP, Duration.ofSeconds(1));
    Result many = Run.closed(scenario, 200, WARM_UP, Duration.ofSeconds(1));
    assertThat(few.rowsPerRead()).isEqualTo(1);
    assertThat(many.rowsPerRead()).isBetween(10.0, 64.0);
    assertThat(many.rate()).isGreaterThan(few.rate());
  }

  @Test
  void commitsOfARegionShareCallsAndSyncs() {
    Scenario scenario = scenario(1, Map.of(Kind.INSERT, 1.0));
    Result one = Run.closed(scenario, 1, WARM_UP, Duration.ofSeconds(1));
    Result many = Run.closed(scenario, 400, WARM_UP, Duration.ofSeconds(1));
    assertThat(one.operationsPerWrite()).isEqualTo(1);
    assertThat(many.operationsPerWrite()).isBetween(3.0, 64.0);
    assertThat(one.p50Millis() * 1e6).isGreaterThan((double) scenario.costs().log());
  }

  @Test
  void aPauseDelaysOnlyRequestsOfThatServer() {
    Pauses pauses = new Pauses(Duration.ofSeconds(2), Duration.ofMillis(300));
    Scenario calm = scenario(10, GETS);
    Scenario paused = calm.with(new Faults(pauses, Pauses.NONE, Duration.ZERO, 0));
    Result without = Run.open(calm, 5_000, WARM_UP, Duration.ofSeconds(20));
    Result with = Run.open(paused, 5_000, WARM_UP, Duration.ofSeconds(20));
    assertThat(without.longestMillis()).isLessThan(50);
    assertThat(with.longestMillis()).isBetween(200.0, 1_500.0);
    assertThat(with.p50Millis()).isCloseTo(without.p50Millis(), within(0.05));
    assertThat(with.rate()).isCloseTo(without.rate(), Percentage.withPercentage(3));
  }

  @Test
  void theRegionsOfALostServerComeBack() {
    Scenario calm = scenario(5, GETS);
    Faults loss = new Faults(Pauses.NONE, Pauses.NONE, Duration.ofSeconds(1), 2);
    Duration window = Duration.ofSeconds(25);
    Result result = Run.open(calm.with(loss), 500, WARM_UP, window);
    double away = (Bounds.SESSION + Bounds.RECOVERY) / 1e6;
    // Each request that came in between is served after all, and the last ones soon.
    assertThat(result.refused()).isZero();
    assertThat(result.rate()).isCloseTo(500, Percentage.withPercentage(3));
    assertThat(result.longestMillis()).isBetween(away * 0.95, away + 1_500);
    assertThat(result.p50Millis()).isLessThan(5);
    assertThat(result.lookUps()).isPositive();
    Result after = Run.open(calm.with(loss), 500, Duration.ofSeconds(20), Duration.ofSeconds(5));
    assertThat(after.longestMillis()).isLessThan(50);
  }

  @Test
  void allRequestsOfAnAccountWaitWhileItsHomeIsAway() {
    Scenario calm = scenario(5, GETS);
    // The only home is on the last server, and a fifth of the data is there.
    Faults loss = new Faults(Pauses.NONE, Pauses.NONE, Duration.ofSeconds(1), 4);
    Result result = Run.open(calm.with(loss), 500, WARM_UP, Duration.ofSeconds(14));
    assertThat(result.rate()).isLessThan(150);
  }

  @Test
  void theBalancerMovesLoadUntilNoServerIsTooHot() {
    Nodes nodes = new Nodes(10, 2, 10, 4);
    Balance balance = new Balance(nodes, new Load(GETS, 100_000, 0.99, 0, 1, false));
    double before = balance.imbalance();
    balance.balance();
    assertThat(before).isGreaterThan(1.25);
    assertThat(balance.imbalance()).isLessThanOrEqualTo(1.25);
    assertThat(balance.moves()).isBetween(1, 50);
    int[] servers = balance.serverOfRegions();
    assertThat(servers).hasSizeGreaterThanOrEqualTo(100);
    assertThat(Arrays.stream(servers).allMatch(server -> server >= 0 && server < 10)).isTrue();
  }
}
