package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.hbase.balance.RegionLoad;
import io.lazuli.storage.hbase.balance.RegionSample;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The map of ranges that a balancer shows. */
class BalancerTest {
  @Test
  void anUnservedRangeIsShownWithoutAServer() {
    RegionSample left = region(Bytes.EMPTY, bytes("m"), "node");
    RegionSample right = region(bytes("m"), Bytes.EMPTY, "");
    RegionLoad load = new RegionLoad(left, 2, 3, Duration.ZERO, 0, 0, Duration.ZERO);
    assertThat(Balancer.ranges(List.of(left, right), List.of(load)))
        .extracting(PartitionMap.Range::server, PartitionMap.Range::readsPerSecond)
        .containsExactly(tuple("node", 2.0), tuple("", 0.0));
    assertThat(new RegionAdmin.Snapshot(List.of("s"), List.of(left, right)).served())
        .containsExactly(left);
  }

  private static RegionSample region(Bytes from, Bytes to, String server) {
    return new RegionSample("tables", from, from, to, server, 0, 0, 0);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
