package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.EngineState;
import org.junit.jupiter.api.Test;

/** What an engine reports of the faults of its parts. */
class EngineFaultsTest {
  @Test
  void withoutTheClusterOrItsTimeNothingIsWritable() {
    assertThat(new EngineFaults("away", "", "", "", "", "").state("fine"))
        .isEqualTo(new EngineState(false, "away"));
    assertThat(new EngineFaults("", "no time", "", "busy", "stuck", "away").state("fine"))
        .isEqualTo(new EngineState(false, "no time"));
  }

  @Test
  void otherFaultsAreWarnings() {
    assertThat(new EngineFaults("", "", "", "busy", "", "").state("fine"))
        .isEqualTo(new EngineState(true, "fine", "busy"));
    assertThat(new EngineFaults("", "", "", "", "stuck", "").state("fine"))
        .isEqualTo(new EngineState(true, "fine", "deleted tables are not freed: stuck"));
    assertThat(new EngineFaults("", "", "", "", "", "away").state("fine"))
        .isEqualTo(new EngineState(true, "fine", "files of deleted chunks stay: away"));
    assertThat(new EngineFaults("", "", "", "busy", "stuck", "").state("fine").fault())
        .isEqualTo("busy; deleted tables are not freed: stuck");
    assertThat(new EngineFaults("", "", "", "", "", "").state("fine"))
        .isEqualTo(new EngineState(true, "fine"));
  }

  @Test
  void aLoginThatCannotBeRenewedIsAWarningUntilTheClusterRefusesIt() {
    assertThat(new EngineFaults("", "", "old ticket", "", "", "").state("fine"))
        .isEqualTo(new EngineState(true, "fine", "old ticket"));
    assertThat(new EngineFaults("", "", "old ticket", "", "stuck", "").state("fine"))
        .isEqualTo(
            new EngineState(true, "fine", "old ticket; deleted tables are not freed: stuck"));
    assertThat(new EngineFaults("away", "", "old ticket", "", "", "").state("fine"))
        .isEqualTo(new EngineState(false, "away; old ticket"));
  }
}
