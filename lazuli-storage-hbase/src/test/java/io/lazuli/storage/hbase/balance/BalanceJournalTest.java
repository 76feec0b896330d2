package io.lazuli.storage.hbase.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionMap.Action;
import io.lazuli.storage.PartitionMap.Totals;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The journal that operators read. */
class BalanceJournalTest {
  private static final Instant NOON = Instant.parse("2034-01-01T12:00:00Z");

  @Test
  void theNewestComesFirstAndEndingsAreCounted() {
    BalanceJournal journal =
        BalanceJournal.EMPTY
            .with(NOON, split("k"), "one", Ending.DONE, "done in 1.2 s")
            .with(NOON.plusSeconds(1), merge(), "two", Ending.DONE, "done in 0.9 s")
            .with(NOON.plusSeconds(2), split("p"), "three", Ending.FAILED, "failed: not splittable")
            .with(NOON.plusSeconds(3), tooHot(), "four", Ending.REPORTED, "reported");
    assertThat(journal.totals()).isEqualTo(new Totals(1, 1, 0, 1, 1));
    assertThat(journal.actions())
        .extracting(Action::outcome)
        .containsExactly("reported", "failed: not splittable", "done in 0.9 s", "done in 1.2 s");
    assertThat(journal.operationsLastHour(NOON.plusSeconds(3))).isEqualTo(3);
    assertThat(journal.operationsLastHour(NOON.plusSeconds(3_601))).isEqualTo(1);
    byte[] encoded = journal.encode();
    assertThat(BalanceJournal.decode(encoded)).isEqualTo(journal);
    encoded[0]++;
    assertThat(BalanceJournal.decode(encoded)).isEqualTo(BalanceJournal.EMPTY);
  }

  @Test
  void aReportThatIsRepeatedWithinAnHourIsListedOnceAndCountsOnce() {
    BalanceJournal journal = BalanceJournal.EMPTY;
    for (int i = 0; i < 10; i++) {
      journal =
          journal.with(NOON.plusSeconds(180L * i), tooHot(), "hot", Ending.REPORTED, "reported");
    }
    assertThat(journal.actions()).hasSize(1);
    assertThat(journal.actions().get(0).time()).isEqualTo(NOON.plusSeconds(1_620));
    assertThat(journal.totals().tooHot()).isEqualTo(1);
    BalanceJournal later =
        journal.with(NOON.plusSeconds(9_000), tooHot(), "hot", Ending.REPORTED, "reported");
    assertThat(later.actions()).hasSize(2);
  }

  @Test
  void oldActionsAndLongTextsAreCutOff() {
    BalanceJournal journal = BalanceJournal.EMPTY;
    for (int i = 0; i < 100; i++) {
      String outcome = i + "x".repeat(10_000);
      journal = journal.with(NOON.plusSeconds(i), split("k"), "k" + i, Ending.FAILED, outcome);
    }
    assertThat(journal.actions()).hasSize(50);
    assertThat(journal.totals().failed()).isEqualTo(100);
    assertThat(journal.encode()).hasSizeLessThan(100_000);
  }

  @Test
  void whatALeaderHasBegunIsKnownToItsSuccessorUntilItEnds() {
    RegionSample far = region(2, "far");
    List<BalanceStep> steps =
        List.of(
            split("k"),
            merge(),
            new BalanceStep.Move(region(), "far", "it is cooler"),
            new BalanceStep.Exchange(region(), far, "it has as many"));
    BalanceJournal journal = BalanceJournal.EMPTY;
    for (BalanceStep step : steps) {
      journal = journal.begun(NOON, step, step.what(SpaceLabels.COUNTERS));
    }
    BalanceJournal read = BalanceJournal.decode(journal.encode());
    assertThat(read).isEqualTo(journal);
    assertThat(read.begun().due(NOON.plusSeconds(60))).isEmpty();
    assertThat(read.begun().due(NOON.plusSeconds(91)))
        .extracting(BegunSteps.Begun::step)
        .isEqualTo(steps);
    BalanceJournal ended = read.with(NOON, steps.get(2), "moved", Ending.DONE, "done");
    assertThat(ended.begun().steps())
        .extracting(BegunSteps.Begun::step)
        .doesNotContain(steps.get(2));
    assertThat(ended.begun().steps()).hasSize(3);
    assertThat(ended.totals().moves()).isEqualTo(1);
  }

  @Test
  void aSuccessorSeesByTheRegionsHowAnOperationEnded() {
    RegionSample far = region(2, "far");
    BalanceStep move = new BalanceStep.Move(region(), "far", "");
    assertThat(BegunSteps.isDone(move, List.of(region()))).isFalse();
    assertThat(BegunSteps.isDone(move, List.of(region(1, "far")))).isTrue();
    BalanceStep exchange = new BalanceStep.Exchange(region(), far, "");
    assertThat(BegunSteps.isDone(exchange, List.of(region(1, "far"), far))).isFalse();
    assertThat(BegunSteps.isDone(exchange, List.of(region(1, "far"), region(2, "server"))))
        .isTrue();
    assertThat(BegunSteps.isDone(split("k"), List.of(region(), far))).isFalse();
    assertThat(BegunSteps.isDone(split("k"), List.of(region(3, "server"), far))).isTrue();
  }

  /** Older servers wrote the journal without its last part. */
  @Test
  void theJournalOfAnOlderServerKeepsItsTotals() {
    BalanceJournal journal =
        BalanceJournal.EMPTY.with(NOON, split("k"), "k", Ending.DONE, "done in 1.2 s");
    byte[] encoded = journal.encode();
    byte[] older = Arrays.copyOf(encoded, encoded.length - Long.BYTES - Integer.BYTES);
    assertThat(BalanceJournal.decode(older)).isEqualTo(journal);
  }

  private static BalanceStep split(String at) {
    return new BalanceStep.Split(region(), BalancePlanTest.key(at), "it is hot");
  }

  private static BalanceStep merge() {
    return new BalanceStep.Merge(region(), region(), "they are cold");
  }

  private static BalanceStep tooHot() {
    return new BalanceStep.TooHot(region(), BalancePlanTest.key("k"), "it takes all");
  }

  private static RegionSample region() {
    return region(1, "server");
  }

  private static RegionSample region(int number, String server) {
    Bytes name = Bytes.of(new byte[] {(byte) number});
    return new RegionSample("tables", name, Bytes.EMPTY, Bytes.EMPTY, server, 0, 0, 0);
  }
}
