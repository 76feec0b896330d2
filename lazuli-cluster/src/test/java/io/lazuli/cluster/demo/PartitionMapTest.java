package io.lazuli.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.HostedRegion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PartitionMapTest {
  @Test
  void regionsAreShownWithTheProcessesThatHaveThem() {
    String shown =
        PartitionMap.of(
            List.of(
                new HostedRegion("lazuli:tables", "f0", "", "m", "localhost,1,2"),
                new HostedRegion("lazuli:tables", "f1", "m", "", "localhost,3,4")),
            Map.of("localhost,1,2", "regionserver-0"));
    assertThat(shown.lines())
        .containsExactly(
            "lazuli:tables      regionserver-0   […, m)",
            "lazuli:tables      localhost,3,4    [m, …)");
  }
}
