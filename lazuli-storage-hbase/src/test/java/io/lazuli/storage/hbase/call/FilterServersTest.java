package io.lazuli.storage.hbase.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.hbase.EntityFilterV1;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

class FilterServersTest {
  private static final ServerName ONE = FakeHBase.server("one");
  private static final ServerName TWO = FakeHBase.server("two");

  private long nanos = 7;
  private final FilterServers servers = new FilterServers(() -> nanos);

  @Test
  void aServerThatRefusedIsAskedAgainAfterAMinute() {
    assertThat(servers.mayHaveFilter(ONE)).isTrue();
    servers.refused(ONE);
    assertThat(servers.mayHaveFilter(ONE)).isFalse();
    assertThat(servers.mayHaveFilter(TWO)).isTrue();
    nanos += Duration.ofSeconds(59).toNanos();
    assertThat(servers.mayHaveFilter(ONE)).isFalse();
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(servers.mayHaveFilter(ONE)).isTrue();
  }

  /** As HBase 2.6.4 answers; see PushdownDeploymentIT. */
  @Test
  void aMissingClassIsARefusalAndOtherFailuresAreNot() {
    String name = EntityFilterV1.class.getName();
    assertThat(
            FilterServers.isRefusal(
                new CompletionException(
                    new DoNotRetryIOException("java.lang.ClassNotFoundException: " + name))))
        .isTrue();
    assertThat(FilterServers.isRefusal(new NotServingRegionException("moved"))).isFalse();
    assertThat(FilterServers.isRefusal(new DoNotRetryIOException())).isFalse();
  }
}
