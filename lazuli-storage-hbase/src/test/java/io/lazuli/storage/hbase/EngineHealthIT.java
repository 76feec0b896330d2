package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineState;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of a cluster as operators see it. */
class EngineHealthIT {
  @Test
  void theStateReportsWaitingTransactionsAndConflicts(@TempDir Path folder) {
    HBaseEngine engine =
        HBaseEngine.open(
            EngineConfig.of(folder),
            TestCluster.shared().site(),
            TestCluster.SETTINGS.withTransactions(2));
    try (engine) {
      EngineState state = engine.state();
      assertThat(state.writable()).isTrue();
      assertThat(state.detail()).matches("HBase, 0 transactions wait, \\d+ conflicts so far");
      assertThat(state.fault()).isEmpty();
    }
    assertThat(engine.state()).isEqualTo(new EngineState(false, "closed"));
  }

  @Test
  void withoutTheClusterOrItsTimeNothingIsWritable() {
    assertThat(HBaseEngine.state("fine", "away", "", "")).isEqualTo(new EngineState(false, "away"));
    assertThat(HBaseEngine.state("fine", "", "no time", "stuck"))
        .isEqualTo(new EngineState(false, "no time"));
  }

  @Test
  void aFailureToReclaimIsReportedAsAWarning() {
    assertThat(HBaseEngine.state("fine", "", "", "stuck"))
        .isEqualTo(new EngineState(true, "fine", "deleted tables are not freed: stuck"));
    assertThat(HBaseEngine.state("fine", "", "", "")).isEqualTo(new EngineState(true, "fine"));
  }
}
