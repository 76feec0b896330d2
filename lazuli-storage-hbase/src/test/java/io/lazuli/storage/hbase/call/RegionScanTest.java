package io.lazuli.storage.hbase.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.keys.KeyInterval;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

/** Where a page of a scan ends. */
class RegionScanTest {
  @Test
  void aPageEndsWithItsRegionInBothDirections() {
    List<KeyInterval> forward = List.of(interval("b", "d"), interval("f", "h"));
    List<KeyInterval> backward = List.of(interval("f", "h"), interval("b", "d"));
    assertThat(RegionScan.endWithin(forward, region("a", "g"))).isEqualTo(bytes("g"));
    assertThat(RegionScan.endWithin(forward, region("a", "h"))).isNull();
    assertThat(RegionScan.endWithin(forward, region("a", ""))).isNull();
    assertThat(RegionScan.startWithin(backward, region("c", "k"))).isEqualTo(bytes("c"));
    assertThat(RegionScan.startWithin(backward, region("b", "k"))).isNull();
    assertThat(RegionScan.startWithin(backward, region("", "k"))).isNull();
  }

  @Test
  void noRegionBorderLiesBetweenAKeyAndTheOneJustBefore() {
    assertThat(RegionScan.justBefore(new byte[] {'a', 0})).isEqualTo(new byte[] {'a'});
    byte[] before = RegionScan.justBefore(new byte[] {'a', 'c'});
    assertThat(Arrays.compareUnsigned(before, new byte[] {'a', 'c'})).isNegative();
    assertThat(Arrays.compareUnsigned(before, new byte[] {'a', 'b', (byte) 0xff, (byte) 0xff}))
        .isPositive();
  }

  private static KeyInterval interval(String from, String to) {
    return new KeyInterval(bytes(from), bytes(to));
  }

  private static RegionInfo region(String from, String to) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
        .setStartKey(bytes(from).array())
        .setEndKey(bytes(to).array())
        .build();
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
