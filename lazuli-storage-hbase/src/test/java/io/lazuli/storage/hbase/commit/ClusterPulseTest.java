package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.StorageException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClusterPulseTest {
  private final AtomicLong nanos = new AtomicLong(7);
  private final ClusterPulse pulse = new ClusterPulse(nanos::get);

  @Test
  void aClusterThatNobodyAsksIsNotAway() {
    silence();
    assertThat(pulse.fault()).isEmpty();
  }

  @Test
  void aClusterIsAwayAfterAWhileOfFailures() {
    miss(StorageException.Kind.TIMEOUT);
    assertThat(pulse.fault()).as("at once").isEmpty();
    silence();
    assertThat(pulse.fault()).isEqualTo("the cluster did nothing for 20 s: no answer");
  }

  @Test
  void aSuccessBringsItBack() {
    miss(StorageException.Kind.UNAVAILABLE);
    silence();
    pulse.beat();
    assertThat(pulse.fault()).isEmpty();
    silence();
    assertThat(pulse.fault()).as("without a new failure").isEmpty();
  }

  @Test
  void anAnswerThatIsARefusalIsNoFailure() {
    miss(StorageException.Kind.SPACE_GONE);
    silence();
    assertThat(pulse.fault()).isEmpty();
  }

  private void miss(StorageException.Kind kind) {
    pulse.miss(new StorageException(kind, "no answer"));
  }

  private void silence() {
    nanos.addAndGet(ClusterPulse.SILENCE_MAX.toNanos() + 1);
  }
}
