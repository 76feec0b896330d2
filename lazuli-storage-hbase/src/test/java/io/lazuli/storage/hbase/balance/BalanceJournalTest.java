package io.lazuli.storage.hbase.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionMap.Action;
import io.lazuli.storage.PartitionMap.Totals;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The journal that operators read. */
class BalanceJournalTest {
  private static final Instant NOON = Instant.parse("2034-01-01T12:00:00Z");

  @Test
  void theNewestComesFirstAndEndingsAreCounted() {
    BalanceJournal journal =
        BalanceJournal.EMPTY
            .with(NOON, split("k"), Ending.DONE, "done in 1.2 s")
            .with(NOON.plusSeconds(1), merge(), Ending.DONE, "done in 0.9 s")
            .with(NOON.plusSeconds(2), split("p"), Ending.FAILED, "failed: not splittable")
            .with(NOON.plusSeconds(3), tooHot(), Ending.REPORTED, "reported");
    assertThat(journal.totals()).isEqualTo(new Totals(1, 1, 1, 1));
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
      journal = journal.with(NOON.plusSeconds(180L * i), tooHot(), Ending.REPORTED, "reported");
    }
    assertThat(journal.actions()).hasSize(1);
    assertThat(journal.actions().get(0).time()).isEqualTo(NOON.plusSeconds(1_620));
    assertThat(journal.totals().tooHot()).isEqualTo(1);
    BalanceJournal later =
        journal.with(NOON.plusSeconds(9_000), tooHot(), Ending.REPORTED, "reported");
    assertThat(later.actions()).hasSize(2);
  }

  @Test
  void oldActionsAndLongTextsAreCutOff() {
    BalanceJournal journal = BalanceJournal.EMPTY;
    for (int i = 0; i < 100; i++) {
      String outcome = i + "x".repeat(10_000);
      journal = journal.with(NOON.plusSeconds(i), split("k"), Ending.FAILED, outcome);
    }
    assertThat(journal.actions()).hasSize(50);
    assertThat(journal.totals().failed()).isEqualTo(100);
    assertThat(journal.encode()).hasSizeLessThan(100_000);
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
    Bytes name = Bytes.of(new byte[] {1});
    return new RegionSample("tables", name, Bytes.EMPTY, Bytes.EMPTY, "server", 0, 0, 0);
  }
}
