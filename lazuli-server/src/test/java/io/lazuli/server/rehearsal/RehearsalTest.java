package io.lazuli.server.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearsalTest {
  @Test
  void aListNamesFaultsAndTheirShares() {
    assertThat(Rehearsal.parse("busy=5,timeout-after=2,deleting=40,latency=20,seed=7"))
        .isEqualTo(
            new Rehearsal(
                Map.of(Fault.BUSY, 5, Fault.TIMEOUT_AFTER, 2),
                Duration.ofSeconds(40),
                Duration.ofMillis(20),
                7));
  }

  @Test
  void allIsSomeOfEverythingAndLaterEntriesOverrideIt() {
    Rehearsal all = Rehearsal.parse("all");
    assertThat(all.percents()).containsOnlyKeys(Fault.values());
    assertThat(all.deleting()).isEqualTo(Duration.ofSeconds(40));
    assertThat(Rehearsal.parse("all,busy=0,seed=3").percents()).doesNotContainKey(Fault.BUSY);
  }

  @Test
  void itsTextIsReadAsItself() {
    for (String text : List.of("all", "busy=1", "latency=5", "seed=9")) {
      Rehearsal rehearsal = Rehearsal.parse(text);
      assertThat(Rehearsal.parse(rehearsal.text())).isEqualTo(rehearsal);
    }
  }

  @Test
  void nothingAskedForIsOff() {
    assertThat(Rehearsal.OFF.isOff()).isTrue();
    assertThat(Rehearsal.parse("seed=5").isOff()).isTrue();
    assertThat(Rehearsal.parse("busy=0").isOff()).isTrue();
    assertThat(Rehearsal.parse("deleting=1").isOff()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "busy", "busy=", "busy=91", "busy=-1", "busy=x", "none=1", "busy=1,,", "1=1"})
  void aTextThatIsNotAListIsRefused(String text) {
    assertThat(Rehearsal.parse(text)).isNull();
  }

  @Test
  void theSharesAreTheRequestedOnes() {
    Dice dice = new Dice(Rehearsal.parse("busy=20,seed=4"));
    int met = 0;
    for (int i = 0; i < 10_000; i++) {
      met += dice.falls(Fault.BUSY) ? 1 : 0;
      assertThat(dice.falls(Fault.TIMEOUT_BEFORE)).isFalse();
    }
    assertThat(met).isBetween(1_800, 2_200);
  }

  @Test
  void aSeedFixesTheSequenceOfEachFaultWhateverTheOthersDo() {
    List<Boolean> alone = rolls(new Dice(Rehearsal.parse("busy=50,seed=4")), false);
    List<Boolean> beside = rolls(new Dice(Rehearsal.parse("busy=50,cut-pages=50,seed=4")), true);
    assertThat(alone).isEqualTo(beside);
    assertThat(alone).isNotEqualTo(rolls(new Dice(Rehearsal.parse("busy=50,seed=5")), false));
  }

  @Test
  void aCutPageKeepsAtLeastOneEntityAndLosesAtLeastOne() {
    Dice dice = new Dice(Rehearsal.parse("cut-pages=90"));
    for (int i = 0; i < 1_000; i++) {
      assertThat(dice.cut(10)).isBetween(1, 9);
    }
    assertThat(dice.cut(1)).isEqualTo(1);
  }

  private static List<Boolean> rolls(Dice dice, boolean others) {
    List<Boolean> rolls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rolls.add(dice.falls(Fault.BUSY));
      if (others) {
        dice.falls(Fault.CUT_PAGES);
      }
    }
    return rolls;
  }
}
