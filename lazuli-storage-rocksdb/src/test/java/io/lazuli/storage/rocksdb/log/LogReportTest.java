package io.lazuli.storage.rocksdb.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogReportTest {

  /** Before, {@code lazuli verify} wrote "1 batches". */
  @Test
  void oneBatchIsSingular() {
    assertThat(LogReport.batches(0)).isEqualTo("0 batches");
    assertThat(LogReport.batches(1)).isEqualTo("1 batch");
    assertThat(LogReport.batches(2)).isEqualTo("2 batches");
  }
}
