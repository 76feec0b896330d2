package io.lazuli.storage.hbase.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The steps of an operator's split, carried out on lists. */
class PreSplitPlanTest {
  private static final Instant NOON = Instant.parse("2034-01-01T12:00:00Z");

  private List<RegionSample> regions =
      new ArrayList<>(List.of(region(Bytes.EMPTY, Bytes.EMPTY, "a")));

  @Test
  void aRangeIsDividedFromItsMiddleAndThenSpread() {
    Set<Bytes> wanted = keys("b", "d", "f", "h", "j", "l", "n");
    List<String> nodes = List.of("a", "b", "c", "d");
    int calls = 0;
    PreSplitPlan plan = PreSplitPlan.of(regions, wanted, nodes);
    assertThat(plan.splits()).hasSize(1);
    assertThat(((BalanceStep.Split) plan.splits().get(0)).at()).isEqualTo(BalancePlanTest.key("h"));
    while (plan.waiting() > 0) {
      assertThat(++calls).isLessThan(10);
      plan.splits().forEach(step -> carryOut((BalanceStep.Split) step));
      plan.moves().forEach(step -> carryOut((BalanceStep.Move) step));
      plan = PreSplitPlan.of(regions, wanted, nodes);
    }
    assertThat(regions).extracting(RegionSample::from).containsAll(wanted).hasSize(8);
    for (String node : nodes) {
      assertThat(regions).filteredOn(region -> region.server().equals(node)).hasSize(2);
    }
    assertThat(plan.nodes()).isEqualTo(4);
    assertThat(plan.splits()).isEmpty();
    assertThat(plan.moves()).isEmpty();
  }

  @Test
  void boundariesThatExistAreKeptAndOtherRangesStayWhereTheyAre() {
    regions =
        new ArrayList<>(
            List.of(
                region(Bytes.EMPTY, BalancePlanTest.key("d"), "a"),
                region(BalancePlanTest.key("d"), BalancePlanTest.key("m"), "a"),
                region(BalancePlanTest.key("m"), BalancePlanTest.key("q"), "a"),
                region(BalancePlanTest.key("q"), Bytes.EMPTY, "a")));
    PreSplitPlan plan = PreSplitPlan.of(regions, keys("d"), List.of("a", "b"));
    assertThat(plan.splits()).isEmpty();
    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.moves().get(0).regions().get(0).from())
        .isIn(Bytes.EMPTY, BalancePlanTest.key("d"));
  }

  /** The region between two splits is being opened, or its server does not answer. */
  @Test
  void aRegionWithoutAServerWaits() {
    regions = new ArrayList<>(List.of(region(Bytes.EMPTY, Bytes.EMPTY, "")));
    PreSplitPlan plan = PreSplitPlan.of(regions, keys("d"), List.of("a", "b"));
    assertThat(plan.splits()).isEmpty();
    assertThat(plan.missing()).isEqualTo(1);
    assertThat(plan.waiting()).isEqualTo(1);
  }

  /** All ranges exist, so that nothing is left but to spread them, once they have nodes. */
  @Test
  void theRangesAreNotSpreadBeforeAllOfThemHaveANode() {
    Bytes middle = BalancePlanTest.key("d");
    for (String away : List.of("", "paused")) {
      regions =
          new ArrayList<>(
              List.of(region(Bytes.EMPTY, middle, "a"), region(middle, Bytes.EMPTY, away)));
      PreSplitPlan plan = PreSplitPlan.of(regions, keys("d"), List.of("a", "b"));
      assertThat(plan.moves()).isEmpty();
      assertThat(plan.missing()).isZero();
      assertThat(plan.waiting()).isEqualTo(1);
      assertThat(plan.nodes()).isEqualTo(1);
    }
  }

  @Test
  void anOperatorsBoundariesAreKeptForADay() {
    KeptBoundaries kept = KeptBoundaries.NONE.with(NOON, keys("d"));
    kept = KeptBoundaries.decode(kept.with(NOON.plusSeconds(60), keys("h")).encode());
    assertThat(kept.at(NOON.plusSeconds(3_600))).isEqualTo(keys("d", "h"));
    assertThat(kept.at(NOON.plusSeconds(86_430))).isEqualTo(keys("h"));
    assertThat(kept.with(NOON.plusSeconds(86_430), keys("z")).until()).hasSize(2);
    byte[] newer = kept.encode();
    newer[0]++;
    assertThat(KeptBoundaries.decode(newer)).isEqualTo(KeptBoundaries.NONE);
  }

  @Test
  void theKeptBoundariesAreBounded() {
    KeptBoundaries kept = KeptBoundaries.NONE;
    for (int i = 0; i < 20; i++) {
      Set<Bytes> more = new HashSet<>();
      for (int j = 0; j < 100; j++) {
        more.add(BalancePlanTest.key("p%02d-%02d".formatted(i, j)));
      }
      kept = kept.with(NOON.plusSeconds(i), more);
    }
    assertThat(kept.until()).hasSize(1_000).containsKey(BalancePlanTest.key("p19-99"));
  }

  private void carryOut(BalanceStep.Split split) {
    int at = regions.indexOf(split.region());
    RegionSample old = regions.remove(at);
    regions.add(at, region(split.at(), old.to(), old.server()));
    regions.add(at, region(old.from(), split.at(), old.server()));
  }

  private void carryOut(BalanceStep.Move move) {
    regions.replaceAll(
        each ->
            each.name().equals(move.region().name())
                ? each.servedBy(move.server(), 0, 0, 0)
                : each);
  }

  private static Set<Bytes> keys(String... names) {
    Set<Bytes> keys = new TreeSet<>();
    for (String name : names) {
      keys.add(BalancePlanTest.key(name));
    }
    return keys;
  }

  private static RegionSample region(Bytes from, Bytes to, String server) {
    return new RegionSample("tables", from.successor(), from, to, server, 0, 0, 0);
  }
}
