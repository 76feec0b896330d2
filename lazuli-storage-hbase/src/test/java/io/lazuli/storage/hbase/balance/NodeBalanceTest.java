package io.lazuli.storage.hbase.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lazuli.storage.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The balance of nodes, in simulated clusters whose load is sampled. */
class NodeBalanceTest {
  private static final int QUIET = SimulatedCluster.rounds(Duration.ofHours(3));
  private static final int HALF_HOUR = SimulatedCluster.rounds(Duration.ofMinutes(30));

  @Test
  void aHotNodeGivesRegionsToTheOthersAndThenTheMovesEnd() {
    SimulatedCluster cluster = zipf(4, 200, 24, region -> region < 12 ? 0 : region % 4);
    cluster.sampleEverything();
    assertThat(cluster.imbalance()).isGreaterThan(2);
    int rounds = cluster.run(QUIET, () -> cluster.imbalance() < 1.5);
    assertThat(rounds).isLessThan(HALF_HOUR);
    cluster.run(4 * HALF_HOUR);
    assertThat(cluster.imbalance()).isLessThan(1.3);
    assertThat(cluster.run(QUIET))
        .filteredOn(step -> !(step instanceof BalanceStep.Merge))
        .isEmpty();
    assertThat(cluster.shortestRest())
        .as("rounds between two moves of a region")
        .isGreaterThanOrEqualTo(18);
  }

  @Test
  void oneRegionWithAllTheLoadIsSplitAndItsPartsAreSpread() {
    SimulatedCluster cluster = zipf(5, 300, 1, region -> 0);
    cluster.sampleEverything();
    int rounds = cluster.run(QUIET, () -> cluster.imbalance() < 1.5);
    assertThat(rounds).isLessThan(2 * HALF_HOUR);
    cluster.run(4 * HALF_HOUR);
    assertThat(cluster.run(QUIET))
        .filteredOn(step -> !(step instanceof BalanceStep.Merge))
        .isEmpty();
  }

  /** At a load that stays the same, samples differ from round to round. */
  @Test
  void chanceAloneMovesLittle() {
    SimulatedCluster cluster = zipf(4, 200, 24, region -> region < 12 ? 0 : region % 4);
    cluster.run(2 * HALF_HOUR);
    assertThat(cluster.imbalance()).isLessThan(1.5);
    assertThat(cluster.run(QUIET)).hasSizeLessThan(5);
  }

  @Test
  void severalOperationsTakePlaceInOneRound() {
    SimulatedCluster cluster = zipf(9, 400, 90, region -> region % 3);
    int operations = 0;
    for (int i = 0; i < 40 && operations < 2; i++) {
      operations = cluster.run(1).size();
    }
    assertThat(operations).isBetween(2, 4);
  }

  @Test
  void anEvenLoadIsLeftAlone() {
    SimulatedCluster cluster = new SimulatedCluster(4);
    for (int i = 0; i < 40; i++) {
      cluster.partition("p%02d".formatted(i), 500);
      cluster.region(i == 39 ? "" : "p%02d".formatted(i + 1), i % 4);
    }
    assertThat(cluster.run(QUIET)).isEmpty();
  }

  /** The node is neither a source nor a target, and what it has does not count as its absence. */
  @Test
  void aNodeThatDoesNotAnswerTakesNoPart() {
    SimulatedCluster cluster = zipf(4, 200, 24, region -> region < 12 ? 0 : region % 4);
    cluster.silence(3);
    // An operation on the silent node would fail the simulation.
    assertThat(cluster.run(2 * HALF_HOUR)).isNotEmpty();
    cluster.answer(3);
    cluster.run(HALF_HOUR);
    assertThat(cluster.imbalance()).isLessThan(1.5);
  }

  @Test
  void thePartitionThatIsTooHotAloneEndsTheOperations() {
    SimulatedCluster cluster = new SimulatedCluster(3);
    for (int i = 0; i < 30; i++) {
      cluster.partition("p%02d".formatted(i), i == 7 ? 20_000 : 50);
    }
    cluster.region("p15", 0);
    cluster.region("", 1);
    cluster.run(HALF_HOUR * 2);
    assertThat(cluster.run(QUIET)).isEmpty();
    assertThat(cluster.done()).hasSizeLessThan(10);
  }

  /** HBase's own balancer may prefer other places. The two must not take turns for ever. */
  @Test
  void aRegionThatHBaseMovesBackIsLeftAloneForLongerEachTime() {
    SimulatedCluster cluster = zipf(3, 60, 6, region -> region < 4 ? 0 : region - 3);
    Map<Bytes, String> home = new TreeMap<>();
    cluster.regions().forEach(region -> home.put(region.name(), region.server()));
    int half = 0;
    for (int round = 0; round < QUIET; round++) {
      cluster.run(1);
      if (round % SimulatedCluster.rounds(Duration.ofMinutes(5)) == 0) {
        for (RegionSample region : cluster.regions()) {
          cluster.moveByHBase(region.name(), home.getOrDefault(region.name(), region.server()));
        }
      }
      if (round == QUIET / 2) {
        half = moves(cluster);
      }
    }
    assertThat(half).isGreaterThan(3);
    assertThat(moves(cluster) - half).as("in the second half").isLessThan(half / 2);
  }

  private static int moves(SimulatedCluster cluster) {
    return (int)
        cluster.done().stream()
            .filter(
                step -> step instanceof BalanceStep.Move || step instanceof BalanceStep.Exchange)
            .count();
  }

  /** If a node has as many regions as another, HBase would move one back. */
  @Test
  void regionsAreExchangedWhereHBaseWouldUndoAMove() {
    SimulatedCluster cluster = new SimulatedCluster(2);
    for (int i = 0; i < 8; i++) {
      cluster.partition("p%02d".formatted(i), i < 4 ? 1_500 : 10);
      cluster.region(i == 7 ? "" : "p%02d".formatted(i + 1), i / 4);
    }
    List<BalanceStep> steps = cluster.run(HALF_HOUR);
    assertThat(steps).isNotEmpty().allMatch(step -> step instanceof BalanceStep.Exchange);
    assertThat(steps.get(0).what(SpaceLabels.COUNTERS)).contains(" in exchange for ");
    assertThat(cluster.imbalance()).isLessThan(1.3);
  }

  /** A node that scans much is not hotter than one with more requests. */
  @Test
  void pointReadsCountMoreThanTheRowsOfFewScans() {
    RegionHistory history = new RegionHistory(BalanceSettings.DEFAULT);
    HeatSampler sampler = new HeatSampler();
    RegionSample scanned = sample("a", "", "m", 0);
    RegionSample read = sample("b", "m", "", 0);
    history.add(1_000, 2, List.of(scanned, read), Map.of());
    // A page of a scan is one call, and HBase counts each of its rows.
    for (int page = 0; page < 20; page++) {
      sampler.note(BalancePlanTest.row("c", "r"));
    }
    for (int get = 0; get < 500; get++) {
      sampler.note(BalancePlanTest.row("p", "r"));
    }
    List<RegionLoad> loads =
        history.add(
            11_000,
            2,
            List.of(sample("a", "", "m", 20 * 1_000), sample("b", "m", "", 500)),
            Map.of("tables", sampler.take(Duration.ofSeconds(10))));
    assertThat(loads.get(0).rate()).isCloseTo(2, within(0.001));
    assertThat(loads.get(1).rate()).isCloseTo(50, within(0.001));
    assertThat(loads.get(0).readsPerSecond()).isEqualTo(2_000);
    assertThat(loads.get(1).readsPerSecond()).isEqualTo(50);
  }

  private static RegionSample sample(String name, String from, String to, long reads) {
    return new RegionSample(
        "tables",
        BalancePlanTest.key(name),
        BalancePlanTest.key(from),
        BalancePlanTest.key(to),
        "node",
        reads,
        0,
        1_000);
  }

  /** Returns a cluster whose partitions have rates as in the law of Zipf, shuffled by a step. */
  private static SimulatedCluster zipf(
      int nodes, int partitions, int regions, java.util.function.IntUnaryOperator node) {
    SimulatedCluster cluster = new SimulatedCluster(nodes);
    for (int i = 0; i < partitions; i++) {
      int rank = i * 37 % partitions + 1;
      cluster.partition("p%03d".formatted(i), 8_000 / Math.pow(rank, 0.8));
    }
    for (int i = 1; i <= regions; i++) {
      cluster.region(
          i == regions ? "" : "p%03d".formatted(i * partitions / regions), node.applyAsInt(i - 1));
    }
    return cluster;
  }
}
