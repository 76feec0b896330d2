package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.StorageException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClusterHealthTest {
  private final AtomicLong nanos = new AtomicLong(7);
  private final ClusterHealth health = new ClusterHealth(nanos::get);

  @Test
  void aClusterWithoutRequestsIsNotUnavailable() {
    silence();
    assertThat(health.fault()).isEmpty();
  }

  @Test
  void aClusterIsUnavailableAfterFailuresForAWhile() {
    failed(StorageException.Kind.TIMEOUT);
    assertThat(health.fault()).as("at once").isEmpty();
    silence();
    assertThat(health.fault())
        .isEqualTo("no operation on the cluster has succeeded for 20 s: no answer");
  }

  @Test
  void aSuccessMakesItAvailableAgain() {
    failed(StorageException.Kind.UNAVAILABLE);
    silence();
    health.succeeded();
    assertThat(health.fault()).isEmpty();
    silence();
    assertThat(health.fault()).as("without a new failure").isEmpty();
  }

  @Test
  void aRefusalByTheClusterIsNotAFailure() {
    failed(StorageException.Kind.SPACE_GONE);
    silence();
    assertThat(health.fault()).isEmpty();
  }

  private void failed(StorageException.Kind kind) {
    health.failed(new StorageException(kind, "no answer"));
  }

  private void silence() {
    nanos.addAndGet(ClusterHealth.SILENCE_MAX.toNanos() + 1);
  }
}
