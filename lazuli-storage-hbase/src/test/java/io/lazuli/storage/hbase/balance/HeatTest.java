package io.lazuli.storage.hbase.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Samples of requests, and the values computed from them. */
class HeatTest {
  private static final long SPACE = 1L << 60 | 5;

  private final HeatSampler sampler = new HeatSampler();

  @Test
  void theRowsOfAPartitionCountAsTheKeyBeforeItsFirstRow() {
    sampler.note(row("p", "r1"));
    sampler.note(row("p", "r2"));
    sampler.note(row("q", ""));
    Heat heat = sampler.take(Duration.ofSeconds(2));
    assertThat(heat.shares())
        .containsExactly(
            Map.entry(BalancePlanTest.key("p"), new Heat.Share(2, 1.0)),
            Map.entry(BalancePlanTest.key("q"), new Heat.Share(1, 0.5)));
    assertThat(BalancePlanTest.key("p")).isLessThan(Bytes.of(row("p", "")));
  }

  @Test
  void aPartitionWithEscapedBytesIsCutAfterAllOfThem() {
    byte[] row = KeyCodec.encode(SPACE, Bytes.of(new byte[] {'a', 0, 1, 'b'}), Bytes.EMPTY);
    sampler.note(row);
    assertThat(sampler.take(Duration.ofSeconds(1)).shares().firstKey())
        .isEqualTo(Bytes.of(Arrays.copyOf(row, row.length - 1)));
  }

  @Test
  void takeRestartsTheSampler() {
    sampler.note(row("p", "r"));
    sampler.take(Duration.ofSeconds(1));
    assertThat(sampler.take(Duration.ofSeconds(1)).shares()).isEmpty();
  }

  @Test
  void manyRequestsLeaveABoundedSampleWithTheRightTotal() {
    int requests = 200_000;
    for (int i = 0; i < requests; i++) {
      sampler.note(row("p%06d".formatted(i), "r"));
    }
    Heat heat = sampler.take(Duration.ofSeconds(1));
    assertThat(heat.samples()).isBetween(200, 1_024);
    // About 500 samples of 200,000 requests: an error of 5 % is usual, one of 33 % is six times
    // that.
    assertThat(heat.rate()).isCloseTo(requests, within(requests / 3.0));
    assertThat(heat.partBefore(row0("p100000"))).isCloseTo(0.5, within(0.15));
  }

  @Test
  void aHotPartitionKeepsItsShare() {
    for (int i = 0; i < 100_000; i++) {
      sampler.note(row(i % 10 == 0 ? "p%06d".formatted(i) : "hot", "r"));
    }
    Heat heat = sampler.take(Duration.ofSeconds(1));
    assertThat(heat.hottest(1).get(0).getKey()).isEqualTo(row0("hot"));
    assertThat(heat.hottest(1).get(0).getValue().rate() / heat.rate()).isCloseTo(0.9, within(0.08));
  }

  @Test
  void longKeysAreBoundedInBytes() {
    for (int i = 0; i < 2_000; i++) {
      sampler.note(row("x".repeat(3_000) + i, "r"));
    }
    Heat heat = sampler.take(Duration.ofSeconds(1));
    assertThat(heat.shares().keySet().stream().mapToInt(Bytes::length).sum())
        .isLessThanOrEqualTo(64 << 10);
    assertThat(heat.samples()).isPositive();
  }

  @Test
  void keysThatAreNotRecordsAreNotNoted() {
    sampler.note(new byte[0]);
    assertThat(sampler.take(Duration.ofSeconds(1)).shares()).isEmpty();
  }

  @Test
  void heatOfServersIsAddedAndRoundsAreAveraged() {
    sampler.note(row("p", "r"));
    Heat one = sampler.take(Duration.ofSeconds(1));
    sampler.note(row("p", "r"));
    sampler.note(row("q", "r"));
    Heat two = sampler.take(Duration.ofSeconds(1));
    assertThat(Heat.sum(List.of(one, two)).shares().get(row0("p"))).isEqualTo(new Heat.Share(2, 2));
    assertThat(Heat.mean(List.of(one, two)).shares().get(row0("q")))
        .isEqualTo(new Heat.Share(1, 0.5));
  }

  @Test
  void onePartitionHasNoMedian() {
    sampler.note(row("p", "r"));
    assertThat(sampler.take(Duration.ofSeconds(1)).median()).isNull();
    assertThat(Heat.NONE.median()).isNull();
  }

  @Test
  void theReportOfAServerIsReadAsItWasWritten() {
    sampler.note(row("p", "r"));
    sampler.note(row("q", "r"));
    HeatCodec.Report report =
        new HeatCodec.Report(7, Map.of("tables", sampler.take(Duration.ofSeconds(1))));
    byte[] encoded = HeatCodec.encode(report);
    assertThat(HeatCodec.decode(encoded)).contains(report);
    encoded[0]++;
    assertThat(HeatCodec.decode(encoded)).as("of another version").isEmpty();
  }

  @Test
  void keysAreWrittenForPeople() {
    long fifth = io.lazuli.storage.Space.number(io.lazuli.storage.SpaceKind.TABLE, 5);
    assertThat(ReadableKey.of(Bytes.of(KeyCodec.spaceStart(fifth)), SpaceLabels.COUNTERS))
        .isEqualTo("5/");
    byte[] odd = KeyCodec.encode(fifth, Bytes.of(new byte[] {'a', ' ', '\\', -1}), Bytes.EMPTY);
    assertThat(ReadableKey.of(Bytes.of(Arrays.copyOf(odd, odd.length - 1)), SpaceLabels.COUNTERS))
        .isEqualTo("5/a\\x20\\x5c\\xff");
    assertThat(ReadableKey.of(Bytes.of(new byte[] {'x'}), SpaceLabels.COUNTERS)).isEqualTo("x");
    assertThat(ReadableKey.of(Bytes.of(KeyCodec.spaceStart(0)), SpaceLabels.COUNTERS))
        .isEqualTo("(store)");
    byte[] home =
        KeyCodec.encode(0, Bytes.of("acme/table".getBytes(StandardCharsets.UTF_8)), Bytes.EMPTY);
    assertThat(ReadableKey.of(Bytes.of(Arrays.copyOf(home, home.length - 1)), SpaceLabels.COUNTERS))
        .isEqualTo("acme/table");
    assertThat(ReadableKey.of(Bytes.of(KeyCodec.spaceEnd(fifth)), space -> "acme/Orders\n"))
        .as("what a label contains cannot begin a line of the log")
        .isEqualTo("end of acme/Orders\\x0a");
    assertThat(ReadableKey.of(BalancePlanTest.key("y".repeat(3_000)), SpaceLabels.COUNTERS))
        .hasSizeLessThan(200);
  }

  private static byte[] row(String partition, String row) {
    return KeyCodec.encode(
        SPACE,
        Bytes.of(partition.getBytes(StandardCharsets.UTF_8)),
        Bytes.of(row.getBytes(StandardCharsets.UTF_8)));
  }

  private static Bytes row0(String partition) {
    return BalancePlanTest.key(partition);
  }
}
