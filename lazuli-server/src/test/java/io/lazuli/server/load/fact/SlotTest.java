package io.lazuli.server.load.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotTest {
  private static long[] counts(Random random, int size) {
    return random.longs(size, 0, 1L << random.nextInt(1, 40)).toArray();
  }

  private static SpaceLoad space(Random random, String name, int ranges, Facts facts) {
    List<String> bounds = new ArrayList<>(List.of(""));
    long[][] byRange = new long[ranges][];
    for (int i = 0; i < ranges; i++) {
      if (i > 0) {
        bounds.add("key-%05d-%s".formatted(i, Integer.toHexString(random.nextInt())));
      }
      byRange[i] = counts(random, Tally.RANGE_SIZE);
    }
    return new SpaceLoad(
        new SpaceName("acme", "table", name),
        counts(random, Tally.SPACE_SIZE),
        bounds,
        byRange,
        facts);
  }

  private static Facts facts() {
    return new Facts(
        900,
        7,
        List.of(new HotPartition("p", 500, 2, 1)),
        List.of(new HotEntity("p", "r", 400, 1, 200, 50, 3_000)),
        new InsertEnds(100, 90, 1, 3, true, "a", "z"),
        new WrittenSizes(60, 60_000, 2, 300_000),
        new BatchTargets(20, 18),
        List.of(new ShapeLoad("table scan", "A eq ?", 10, 9_000, 3, 12_345, 1_000, 0, "::1")),
        List.of(new FanOut("::1", "point", 12, 200)));
  }

  private static void assertSame(SpaceLoad one, SpaceLoad other) {
    assertThat(other.name()).isEqualTo(one.name());
    assertThat(other.counts()).isEqualTo(one.counts());
    assertThat(other.bounds()).isEqualTo(one.bounds());
    assertThat(other.byRange()).isDeepEqualTo(one.byRange());
    assertThat(other.facts()).isEqualTo(one.facts());
  }

  @Test
  void aSlotIsReadAsItWasWritten() throws IOException {
    Random random = new Random(3);
    SpaceLoad one = space(random, "Events", 40, facts());
    Slot slot = new Slot("a1b2c3d4", 1_800_000_000L, 60, true, List.of(one));
    Slot read = SlotCodec.decode(SlotCodec.encode(slot, 20 << 10));
    assertThat(read.server()).isEqualTo("a1b2c3d4");
    assertThat(read.start()).isEqualTo(1_800_000_000L);
    assertThat(read.seconds()).isEqualTo(60);
    assertThat(read.partial()).isTrue();
    assertSame(one, read.spaces().get(0));
  }

  @Test
  void aSlotIsNeverTooLong() throws IOException {
    Random random = new Random(4);
    List<SpaceLoad> spaces = new ArrayList<>();
    for (int i = 0; i < 512; i++) {
      spaces.add(space(random, "Table" + i, i < 4 ? 200 : 1, facts()));
    }
    long requests = spaces.stream().mapToLong(SpaceLoad::requests).max().orElseThrow();
    for (int max : new int[] {20 << 10, 64 << 10, 2 << 10}) {
      byte[] encoded = SlotCodec.encode(new Slot("a", 60, 60, false, spaces), max);
      assertThat(encoded.length).isLessThanOrEqualTo(max);
      Slot read = SlotCodec.decode(encoded);
      assertThat(read.spaces().get(0).requests()).isEqualTo(requests);
    }
  }

  @Test
  void damagedBytesAreRefused() {
    byte[] encoded =
        SlotCodec.encode(
            new Slot("a", 60, 60, false, List.of(space(new Random(5), "T", 9, facts()))), 9_999);
    for (int cut = 0; cut < encoded.length; cut++) {
      byte[] part = Arrays.copyOf(encoded, cut);
      assertThatThrownBy(() -> SlotCodec.decode(part)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void sumsOfDifferentRangesKeepTheirTotals() {
    Random random = new Random(6);
    for (int i = 0; i < 200; i++) {
      Ranges one = Ranges.of(space(random, "T", random.nextInt(1, 20), Facts.NONE));
      Ranges other = Ranges.of(space(random, "T", random.nextInt(1, 20), Facts.NONE));
      Ranges sum = one.plus(other).atMost(random.nextInt(1, 30));
      for (int count = 0; count < Tally.RANGE_SIZE; count++) {
        assertThat(total(sum, count)).isEqualTo(total(one, count) + total(other, count));
      }
      assertThat(sum.bounds()).isSorted().doesNotHaveDuplicates().startsWith("");
    }
  }

  private static long total(Ranges ranges, int count) {
    return Arrays.stream(ranges.counts()).mapToLong(one -> one[count]).sum();
  }

  @Test
  void aCoarseRangeIsDividedAsTheFineOnesAre() {
    Ranges fine = new Ranges(List.of("", "m"), new long[][] {requests(10), requests(30)});
    Ranges coarse = new Ranges(List.of(""), new long[][] {requests(400)});
    assertThat(fine.plus(coarse).counts())
        .isDeepEqualTo(new long[][] {requests(110), requests(330)});
  }

  private static long[] requests(long count) {
    long[] counts = new long[Tally.RANGE_SIZE];
    counts[Tally.READS] = count;
    return counts;
  }

  @Test
  void factsOfSeveralServersAreAdded() {
    Facts sum = facts().plus(facts());
    assertThat(sum.sampled()).isEqualTo(1_800);
    assertThat(sum.partitions()).containsExactly(new HotPartition("p", 1_000, 4, 2));
    assertThat(sum.entities().get(0).conflicts()).isEqualTo(100);
    assertThat(sum.ends().atLast()).isEqualTo(180);
    assertThat(sum.shapes().get(0).runs()).isEqualTo(20);
    assertThat(sum.fanOuts().get(0).bursts()).isEqualTo(24);
    assertThat(Facts.NONE.plus(facts())).isEqualTo(facts());
  }

  @Test
  void theBusiestKeysAreNeverMissed() {
    Random random = new Random(7);
    SpaceSaving<Integer> sketch = new SpaceSaving<>(24, 0);
    int hot = 0;
    for (int i = 0; i < 100_000; i++) {
      boolean isHot = random.nextInt(10) == 0;
      hot += isHot ? 1 : 0;
      SpaceSaving.Counter<Integer> unused = sketch.add(isHot ? -1 : random.nextInt(50_000), 1);
    }
    SpaceSaving.Counter<Integer> top = sketch.top(1).get(0);
    assertThat(top.key()).isEqualTo(-1);
    assertThat(top.count() - top.error()).isLessThanOrEqualTo(hot);
    assertThat(top.count()).isGreaterThanOrEqualTo(hot);
  }
}
