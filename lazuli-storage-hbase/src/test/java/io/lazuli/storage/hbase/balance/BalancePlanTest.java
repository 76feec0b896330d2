package io.lazuli.storage.hbase.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rounds of ten seconds, from the counters of regions to the planned steps. */
class BalancePlanTest {
  private static final long SPACE = 1L << 60 | 5;
  private static final BalanceSettings SETTINGS = BalanceSettings.DEFAULT;

  private final Rounds rounds = new Rounds(SETTINGS);

  @Test
  void aLoneRegionIsSplitAtTheMedianOnceItIsHotForThreeRounds() {
    rounds.heat("a", 10, "b", 20, "c", 30, "d", 40);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    assertThat(rounds.next()).isEmpty();
    assertThat(rounds.next()).isEmpty();
    List<BalanceStep> steps = rounds.next();
    assertThat(steps).hasSize(1);
    BalanceStep.Split split = (BalanceStep.Split) steps.get(0);
    assertThat(split.at()).isEqualTo(key("d"));
    assertThat(split.what(SpaceLabels.COUNTERS))
        .startsWith("split tables … to … at ")
        .endsWith("/d");
    assertThat(split.why())
        .isEqualTo(
            "5000 requests/s for 3 rounds, other ranges 0 on average; 60 % before the split");
  }

  @Test
  void belowTheFloorNothingIsHot() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("r", "", "", 1_999);
    rounds.pause();
    assertThat(rounds.next(5)).isEmpty();
  }

  @Test
  void aRoundBelowTheFloorRestartsTheCount() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    rounds.next(2);
    rounds.rate("r", 100);
    rounds.next();
    rounds.rate("r", 5_000);
    assertThat(rounds.next(2)).isEmpty();
    assertThat(rounds.next()).hasSize(1);
  }

  @Test
  void ifEveryServerHasARegionOnlyTheOneThatStandsOutIsHot() {
    rounds.heat("a", 30, "c", 30, "m", 20, "q", 20);
    rounds.region("left", "", "k", 9_000);
    rounds.region("right", "k", "", 5_000);
    rounds.pause();
    assertThat(rounds.next(4)).isEmpty();
    rounds.rate("right", 4_000);
    assertThat(rounds.next(3)).hasSize(1);
    assertThat(rounds.last().get(0).regions().get(0).to()).isEqualTo(key("k"));
  }

  @Test
  void whileAServerHasNoRegionTheFloorAloneDecides() {
    rounds.heat("a", 30, "c", 30, "m", 20, "q", 20);
    rounds.region("left", "", "k", 5_000);
    rounds.region("right", "k", "", 5_000);
    rounds.servers = 3;
    rounds.pause();
    assertThat(rounds.next(3)).hasSize(1);
  }

  @Test
  void theSplitPointIsInsideTheRegionAndNeverItsFirstKey() {
    rounds.heat("a", 100, "k", 30, "m", 30);
    rounds.region("left", "", "k", 100);
    rounds.region("right", "k", "", 9_000);
    rounds.pause();
    assertThat(((BalanceStep.Split) rounds.next(3).get(0)).at()).isEqualTo(key("m"));
  }

  @Test
  void aPartitionThatTakesNearlyAllIsReportedAndNotSplit() {
    rounds.heat("a", 5, "hot", 90, "z", 5);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    List<BalanceStep> steps = rounds.next(3);
    assertThat(steps).hasSize(1);
    assertThat(steps.get(0)).isInstanceOf(BalanceStep.TooHot.class);
    assertThat(steps.get(0).what(SpaceLabels.COUNTERS))
        .startsWith("partition too hot: tables ")
        .endsWith("/hot");
    assertThat(steps.get(0).why())
        .isEqualTo(
            "it takes 90 % of the 5000 requests/s of its range; spread its keys over more partitions");
  }

  @Test
  void aPartitionWithLessThanThatIsSplitFromTheOthers() {
    rounds.heat("a", 15, "hot", 70, "z", 15);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    assertThat(rounds.next(3).get(0)).isInstanceOf(BalanceStep.Split.class);
  }

  @Test
  void aSecondHotRegionIsSplitIfTheHottestCannotBe() {
    rounds.heat("a", 100, "k", 30, "m", 30);
    rounds.region("left", "", "k", 9_000);
    rounds.region("right", "k", "x", 8_000);
    rounds.region("rest", "x", "", 0);
    rounds.servers = 4;
    rounds.pause();
    assertThat(rounds.next(3))
        .hasExactlyElementsOfTypes(BalanceStep.TooHot.class, BalanceStep.Split.class);
  }

  @Test
  void oneRegionOfATableIsSplitAtATimeTheHottestFirst() {
    rounds.heat("a", 30, "b", 30, "k", 30, "m", 30);
    rounds.region("left", "", "k", 8_000);
    rounds.region("right", "k", "", 9_000);
    rounds.servers = 4;
    rounds.pause();
    assertThat(rounds.next(3)).hasSize(1);
    assertThat(rounds.last().get(0).regions().get(0).from()).isEqualTo(key("k"));
  }

  @Test
  void nothingIsDoneWithTooFewSamples() {
    rounds.heat("a", 3, "b", 3);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    assertThat(rounds.next(5)).isEmpty();
  }

  @Test
  void aRegionThatWasJustOpenedIsLeftAlone() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("r", "", "", 5_000);
    assertThat(rounds.next(18)).isEmpty();
    assertThat(rounds.next()).hasSize(1);
  }

  @Test
  void aRegionThatMovedIsLeftAlone() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    rounds.move("r", "elsewhere");
    assertThat(rounds.next(18)).isEmpty();
    assertThat(rounds.next()).hasSize(1);
  }

  @Test
  void countersThatStartAgainAreNoRowsAndMeanThatTheRegionWasOpened() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    rounds.next(2);
    rounds.move("r", "server");
    rounds.next();
    assertThat(rounds.loads().get(0).readsPerSecond()).isZero();
    assertThat(rounds.next(17)).isEmpty();
    assertThat(rounds.loads().get(0).readsPerSecond()).isEqualTo(3_750);
    assertThat(rounds.loads().get(0).writesPerSecond()).isEqualTo(1_250);
    assertThat(rounds.next()).hasSize(1);
  }

  @Test
  void neighboursThatAreColdForAnHourAreMerged() {
    rounds.region("left", "", "k", 100);
    rounds.region("right", "k", "", 50);
    assertThat(rounds.next(360)).isEmpty();
    BalanceStep step = rounds.next().get(0);
    assertThat(step).isInstanceOf(BalanceStep.Merge.class);
    assertThat(step.what(SpaceLabels.COUNTERS))
        .startsWith("merge tables … to … across ")
        .endsWith("/k");
    assertThat(step.why()).isEqualTo("both below 250 requests/s for 3600 s");
  }

  @Test
  void aWarmNeighbourKeepsItsRange() {
    rounds.region("left", "", "k", 100);
    rounds.region("right", "k", "", 300);
    assertThat(rounds.next(400)).isEmpty();
  }

  @Test
  void aWarmRoundRestartsTheHour() {
    rounds.region("left", "", "k", 100);
    rounds.region("right", "k", "", 0);
    rounds.next(300);
    rounds.rate("right", 300);
    rounds.next();
    rounds.rate("right", 0);
    assertThat(rounds.next(300)).isEmpty();
    assertThat(rounds.next(60)).hasSize(1);
  }

  @Test
  void everyServerKeepsARegion() {
    rounds.region("left", "", "k", 0);
    rounds.region("right", "k", "", 0);
    rounds.servers = 2;
    assertThat(rounds.next(400)).isEmpty();
  }

  @Test
  void asManyRangesStayAsTheSettingsSay() {
    Rounds three = new Rounds(settings(BalanceSettings.Mode.ON, 60, 256L << 20, 3));
    three.region("a", "", "k", 0);
    three.region("b", "k", "p", 0);
    three.region("c", "p", "", 0);
    assertThat(three.next(400)).isEmpty();
  }

  @Test
  void theColdestPairIsMergedFirstAndOneAtATime() {
    rounds.region("a", "", "k", 100);
    rounds.region("b", "k", "p", 90);
    rounds.region("c", "p", "t", 5);
    rounds.region("d", "t", "", 6);
    assertThat(rounds.next(361)).hasSize(1);
    assertThat(rounds.last().get(0).regions().get(0).from()).isEqualTo(key("p"));
  }

  @Test
  void regionsThatAreNotNeighboursAreNotMerged() {
    rounds.region("a", "", "k", 0);
    rounds.region("c", "p", "", 0);
    assertThat(rounds.next(400)).isEmpty();
  }

  @Test
  void aBoundaryThatAnOperatorMadeIsKept() {
    rounds.region("left", "", "k", 0);
    rounds.region("right", "k", "", 0);
    rounds.kept = Set.of(key("k"));
    assertThat(rounds.next(400)).isEmpty();
    rounds.kept = Set.of();
    assertThat(rounds.next()).hasSize(1);
  }

  @Test
  void largeRegionsAreNotMerged() {
    Rounds small = new Rounds(settings(BalanceSettings.Mode.ON, 60, 1_999, 1));
    small.region("left", "", "k", 0);
    small.region("right", "k", "", 0);
    assertThat(small.next(400)).isEmpty();
  }

  @Test
  void aHotTableIsSplitBeforeItsColdEndIsMerged() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("a", "", "k", 0);
    rounds.region("b", "k", "p", 0);
    rounds.region("c", "p", "", 0);
    rounds.next(358);
    rounds.rate("a", 9_000);
    assertThat(rounds.next(3)).hasSize(1);
    assertThat(rounds.last().get(0)).isInstanceOf(BalanceStep.Split.class);
  }

  @Test
  void beyondTheHourlyLimitOperationsAreHeldBackAndReported() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("r", "", "", 5_000);
    rounds.operations = 60;
    rounds.pause();
    BalanceStep step = rounds.next(3).get(0);
    assertThat(step).isInstanceOf(BalanceStep.HeldBack.class);
    assertThat(step.what(SpaceLabels.COUNTERS)).startsWith("held back: split tables ");
    assertThat(step.why()).isEqualTo("the limit of 60 operations per hour is reached");
  }

  @Test
  void nothingIsPlannedWhenOffAndADryRunPlansTheSame() {
    for (BalanceSettings.Mode mode : BalanceSettings.Mode.values()) {
      Rounds these = new Rounds(settings(mode, 60, 256L << 20, 1));
      these.heat("a", 50, "b", 50);
      these.region("r", "", "", 5_000);
      these.pause();
      assertThat(these.next(3)).hasSize(mode == BalanceSettings.Mode.OFF ? 0 : 1);
    }
  }

  @Test
  void aReportedOrFailedStepIsNotTriedAgainBeforeThePauseEnds() {
    rounds.heat("a", 50, "b", 50);
    rounds.region("r", "", "", 5_000);
    rounds.pause();
    rounds.next(3);
    rounds.failed("r");
    assertThat(rounds.next(17)).isEmpty();
    assertThat(rounds.next()).hasSize(1);
  }

  private static BalanceSettings settings(
      BalanceSettings.Mode mode, int perHour, long mergeBytesMax, int rangesMin) {
    return new BalanceSettings(
        mode,
        SETTINGS.round(),
        SETTINGS.hotRate(),
        SETTINGS.hotRounds(),
        SETTINGS.coldTime(),
        SETTINGS.pause(),
        perHour,
        mergeBytesMax,
        rangesMin);
  }

  static byte[] row(String partition, String row) {
    return KeyCodec.encode(
        SPACE,
        Bytes.of(partition.getBytes(StandardCharsets.UTF_8)),
        Bytes.of(row.getBytes(StandardCharsets.UTF_8)));
  }

  static Bytes key(String partition) {
    if (partition.isEmpty()) {
      return Bytes.EMPTY;
    }
    byte[] whole =
        KeyCodec.encode(SPACE, Bytes.of(partition.getBytes(StandardCharsets.UTF_8)), Bytes.EMPTY);
    return Bytes.of(Arrays.copyOf(whole, whole.length - 1));
  }

  /** The regions of a table, each of 1,000 bytes, whose counters rise by a rate in every round. */
  private static final class Rounds {
    private final BalanceSettings settings;
    private final RegionHistory history;
    private final List<RegionSample> regions = new ArrayList<>();
    private final Map<Bytes, Integer> rates = new TreeMap<>();
    private final Map<Bytes, Integer> samples = new TreeMap<>();
    private final Deque<Map<String, Heat>> heat = new ArrayDeque<>();
    private List<RegionLoad> loads = List.of();
    private List<BalanceStep> last = List.of();
    private Set<Bytes> kept = Set.of();
    private int servers = 1;
    private int operations;
    private long millis = 1_000_000;

    Rounds(BalanceSettings settings) {
      this.settings = settings;
      this.history = new RegionHistory(settings);
    }

    /**
     * Sets how the rate of each region is distributed.
     *
     * @param partitions alternating partitions and numbers of samples
     */
    void heat(Object... partitions) {
      for (int i = 0; i < partitions.length; i += 2) {
        samples.put(key((String) partitions[i]), (Integer) partitions[i + 1]);
      }
    }

    /** Returns the requests of a round: each region has its rate. */
    private Map<String, Heat> round() {
      NavigableMap<Bytes, Heat.Share> shares = new TreeMap<>();
      for (RegionSample region : regions) {
        int rate = rates.getOrDefault(region.name(), 0);
        List<Bytes> inside = samples.keySet().stream().filter(region::contains).toList();
        int all = inside.stream().mapToInt(samples::get).sum();
        inside.forEach(
            key -> {
              int own = samples.get(key);
              shares.put(key, new Heat.Share(own, (double) rate * own / all));
            });
        if (inside.isEmpty() && rate > 0) {
          shares.put(
              region.from().length() == 0 ? key("!") : region.from(), new Heat.Share(1, rate));
        }
      }
      return Map.of("tables", new Heat(shares));
    }

    void region(String name, String from, String to, int rate) {
      regions.add(new RegionSample("tables", id(name), key(from), key(to), "server", 0, 0, 1_000));
      rate(name, rate);
    }

    void rate(String name, int rate) {
      rates.put(id(name), rate);
    }

    void move(String name, String server) {
      regions.replaceAll(r -> r.name().equals(id(name)) ? changed(r, server, 0, 0) : r);
    }

    void failed(String name) {
      history.pause(millis, id(name));
    }

    /** Waits without load until the pause of all regions is over. */
    void pause() {
      history.add(millis, servers, regions, Map.of());
      millis += Duration.ofMinutes(3).toMillis();
      history.add(millis, servers, regions, Map.of());
    }

    List<BalanceStep> next() {
      return next(1);
    }

    /** Runs several rounds and returns the steps of the last one. */
    List<BalanceStep> next(int count) {
      for (int i = 0; i < count; i++) {
        millis += 10_000;
        regions.replaceAll(this::counted);
        heat.addLast(round());
        if (heat.size() > settings.hotRounds()) {
          heat.removeFirst();
        }
        loads = history.add(millis, servers, regions, heat.getLast());
        last =
            BalancePlan.of(
                new BalancePlan.Observed(loads, List.copyOf(heat), nodes(), kept),
                operations,
                settings);
      }
      return last;
    }

    /** Returns the nodes; all regions are on the first. */
    private List<Node> nodes() {
      List<Node> nodes = new ArrayList<>();
      nodes.add(new Node("server", regions.size(), true));
      for (int i = 1; i < servers; i++) {
        nodes.add(new Node("away" + i, 0, false));
      }
      return nodes;
    }

    List<BalanceStep> last() {
      return last;
    }

    List<RegionLoad> loads() {
      return loads;
    }

    private RegionSample counted(RegionSample region) {
      int more = rates.getOrDefault(region.name(), 0) * 10;
      long writes = more / 4;
      return changed(
          region, region.server(), region.reads() + more - writes, region.writes() + writes);
    }

    private static RegionSample changed(RegionSample r, String server, long reads, long writes) {
      return new RegionSample(
          r.table(), r.name(), r.from(), r.to(), server, reads, writes, r.bytes());
    }

    private static Bytes id(String name) {
      return Bytes.of(name.getBytes(StandardCharsets.UTF_8));
    }
  }
}
