package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.hbase.balance.Node;
import io.lazuli.storage.hbase.balance.RegionLoad;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.balance.SpaceLabels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The map of ranges that operators see. */
class PartitionMapsTest {
  @Test
  void anUnservedRangeIsShownWithoutAServer() {
    RegionSample left = region(Bytes.EMPTY, bytes("m"), "node");
    RegionSample right = region(bytes("m"), Bytes.EMPTY, "");
    RegionLoad load = new RegionLoad(left, 5, 2, 3, Duration.ZERO, 0, 0, 0, Duration.ZERO);
    assertThat(PartitionMaps.ranges(List.of(left, right), List.of(load), SpaceLabels.COUNTERS))
        .extracting(
            PartitionMap.Range::server,
            PartitionMap.Range::requestsPerSecond,
            PartitionMap.Range::readsPerSecond)
        .containsExactly(tuple("node", 5.0, 2.0), tuple("", 0.0, 0.0));
    assertThat(
            new RegionAdmin.Snapshot(List.of(new Node("s", 1, true)), List.of(left, right))
                .served())
        .containsExactly(left);
  }

  private static RegionSample region(Bytes from, Bytes to, String server) {
    return new RegionSample("tables", from, from, to, server, 0, 0, 0);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
