package io.lazuli.storage.hbase.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The names of new chunks, and their keys in the directory. */
class ChunkDirectoryTest {
  private static final int COUNT = 4_096;

  @Test
  void chunksOfFollowingNumbersFillAllPartsOfTheDirectory() {
    List<byte[]> sorted =
        refs(1_000_000).stream().map(ChunkDirectory::key).sorted(Arrays::compareUnsigned).toList();
    for (int parts = 2; parts <= 16; parts *= 2) {
      for (int part = 0; part < parts; part++) {
        byte[] boundary = sorted.get(part * COUNT / parts);
        long above =
            refs(9_000_000).stream()
                .filter(ref -> Arrays.compareUnsigned(ChunkDirectory.key(ref), boundary) >= 0)
                .count();
        assertThat(above).isBetween(share(parts, parts - part) - 2, share(parts, parts - part) + 2);
      }
    }
  }

  @Test
  void followingNumbersAreFarApart() {
    for (long number = 1; number < 1_000; number++) {
      long first = Space.counter(ref(number).number());
      long next = Space.counter(ref(number + 1).number());
      assertThat(Math.abs(next - first)).isGreaterThan(1L << 57);
    }
  }

  @Test
  void everyNumberHasItsOwnName() {
    Set<ChunkRef> names = new HashSet<>(refs(0));
    names.addAll(refs(1L << 20));
    names.addAll(refs((1L << 44) - COUNT));
    assertThat(names).hasSize(3 * COUNT);
    assertThatThrownBy(() -> ref(1L << 44)).isInstanceOf(IllegalStateException.class);
  }

  /** A chunk of an older version has its number as its counter, and no new chunk gets its name. */
  @Test
  void noNewChunkHasTheNameOfAnOlderOne() {
    for (long number = 1; number < 200_000; number++) {
      ChunkRef ref = ref(number);
      assertThat(Space.counter(ref.number()) & (1L << 44) - 1).isEqualTo(number);
      assertThat(ChunkDirectory.ref(ChunkDirectory.key(ref))).isEqualTo(ref);
    }
  }

  private static long share(int parts, int wanted) {
    return (long) COUNT * wanted / parts;
  }

  private static List<ChunkRef> refs(long first) {
    return LongStream.range(first, first + COUNT).mapToObj(ChunkDirectoryTest::ref).toList();
  }

  private static ChunkRef ref(long number) {
    return ChunkDirectory.named(Space.number(SpaceKind.CHUNKS, number));
  }
}
