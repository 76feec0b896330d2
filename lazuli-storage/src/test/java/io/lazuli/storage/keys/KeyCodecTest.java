package io.lazuli.storage.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Position;
import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Order and round trip of keys on disk, for any bytes. */
final class KeyCodecTest {
  record Key(long space, Bytes partition, Bytes row) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparingLong(Key::space).thenComparing(Key::partition).thenComparing(Key::row);

    byte[] encoded() {
      return KeyCodec.encode(space, partition, row);
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private record Pair(Key one, Key other) {}

  private record Name(Bytes partition, Bytes row) {}

  private static final Values<Long> SPACES =
      Values.either(
          new Values<>(
              List.of(0L, 1L, 127L, 128L, Long.MAX_VALUE), random -> (long) random.nextInt(201)),
          new Values<>(List.of(), Values.longs(0, Long.MAX_VALUE)));
  private static final Values<Key> KEYS =
      SPACES.with(
          names().with(names(), Name::new),
          (space, name) -> new Key(space, name.partition, name.row));

  @Test
  void orderOfEncodedKeysIsTheOrderOfSpacePartitionAndRow() {
    Fuzz.forAll(
        10_000,
        KEYS.with(KEYS, Pair::new),
        pair -> {
          int encoded = Arrays.compareUnsigned(pair.one.encoded(), pair.other.encoded());
          int expected = Integer.signum(pair.one.compareTo(pair.other));
          assertThat(Integer.signum(encoded)).isEqualTo(expected);
        });
  }

  @Test
  void encodedKeysComeBack() {
    Fuzz.forAll(1_000, KEYS, KeyCodecTest::assertComesBack);
  }

  @Test
  void theFirstZeroEndsThePartition() {
    Fuzz.forAll(
        1_000,
        KEYS,
        key -> {
          byte[] encoded = key.encoded();
          int end = KeyCodec.partitionEnd(encoded, encoded.length);
          for (int i = 0; i < end; i++) {
            assertThat(encoded[i]).isNotZero();
          }
          assertThat(encoded[end]).isZero();
          assertThat(encoded.length - end - 1).isEqualTo(key.row.length());
        });
  }

  @Test
  void noByteOfASpaceIsZeroOrOne() {
    Fuzz.forAll(
        1_000,
        Values.longs(0, Long.MAX_VALUE),
        space -> {
          byte[] start = KeyCodec.spaceStart(space);
          assertThat(start).hasSize(KeyCodec.SPACE_BYTES);
          for (byte b : start) {
            assertThat(b).isNegative();
          }
        });
  }

  @Test
  void everyKeyOfASpaceLiesBetweenItsStartAndItsEnd() {
    Fuzz.forAll(
        1_000,
        KEYS,
        key -> {
          byte[] encoded = key.encoded();
          assertThat(Arrays.compareUnsigned(KeyCodec.spaceStart(key.space), encoded)).isNegative();
          if (key.space < Long.MAX_VALUE) {
            assertThat(Arrays.compareUnsigned(encoded, KeyCodec.spaceEnd(key.space))).isNegative();
          }
        });
  }

  @Test
  void everyKeyOfAPartitionLiesBetweenItsStartAndItsEnd() {
    Fuzz.forAll(
        1_000,
        KEYS,
        key -> {
          byte[] start = KeyCodec.encode(key.space, Position.startOf(key.partition));
          byte[] end = KeyCodec.encode(key.space, Position.endOf(key.partition));
          assertThat(Arrays.compareUnsigned(start, key.encoded())).isNotPositive();
          assertThat(Arrays.compareUnsigned(key.encoded(), end)).isNegative();
        });
  }

  @Test
  void bytesOnDiskAreAsDocumented() {
    Bytes partition = Bytes.of(new byte[] {'p', 0, 1, 2});
    Bytes row = Bytes.of(new byte[] {0, 1, 'r'});
    assertThat(HexFormat.of().formatHex(KeyCodec.encode(130, partition, row)))
        .isEqualTo("80808080808080" + "8182" + "70" + "0101" + "0102" + "02" + "00" + "000172");
    assertThat(HexFormat.of().formatHex(KeyCodec.spaceStart(Long.MAX_VALUE)))
        .isEqualTo("ff".repeat(9));
  }

  @Test
  void theLongestKeysComeBack() {
    Key key = new Key(7, Bytes.of(new byte[3_072]), Bytes.of(new byte[3_072]));
    assertThat(key.encoded()).hasSize(9 + 2 * 3_072 + 1 + 3_072);
    assertComesBack(key);
  }

  @Test
  void invalidKeysAreRefused() {
    byte[] start = KeyCodec.spaceStart(1);
    assertThatThrownBy(() -> KeyCodec.partitionEnd(start, start.length))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyCodec.spaceEnd(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertComesBack(Key key) {
    byte[] encoded = key.encoded();
    LentBytes partition = new LentBytes();
    LentBytes row = new LentBytes();
    KeyCodec.lend(encoded, encoded.length, partition, row);
    assertThat(KeyCodec.space(encoded)).isEqualTo(key.space);
    assertThat(Bytes.of(partition.copy())).isEqualTo(key.partition);
    assertThat(Bytes.of(row.copy())).isEqualTo(key.row);
  }

  /** Short names of few different bytes, so that prefixes and escapes meet. */
  private static Values<Bytes> names() {
    byte[] pool = {0, 1, 2, 'a', 127, -128, -1};
    List<Bytes> edges = new ArrayList<>(List.of(Bytes.EMPTY, Bytes.of(new byte[5])));
    for (byte each : pool) {
      edges.add(Bytes.of(new byte[] {each}));
    }
    return new Values<>(
        edges,
        random -> {
          byte[] name = new byte[random.nextInt(6)];
          for (int i = 0; i < name.length; i++) {
            name[i] = pool[random.nextInt(pool.length)];
          }
          return Bytes.of(name);
        });
  }

  /** Anybody can split a region anywhere, so a border may be any bytes. */
  @Test
  void aPositionIsThatOfAKeyOrOfAPartition() {
    Position position =
        new Position(Bytes.of(new byte[] {0, 1, 2, 0x7f}), Bytes.of(new byte[] {0, 1, 9}));
    byte[] key = KeyCodec.encode(1L << 60, position);
    assertThat(KeyCodec.position(key)).isEqualTo(position);
    byte[] border = Arrays.copyOf(key, KeyCodec.partitionEnd(key, key.length));
    assertThat(KeyCodec.position(border)).isEqualTo(Position.startOf(position.partition()));
    assertThat(KeyCodec.position(Arrays.copyOf(key, KeyCodec.SPACE_BYTES)))
        .isEqualTo(Position.START);
    assertThat(KeyCodec.position(Arrays.copyOf(key, KeyCodec.SPACE_BYTES - 1))).isNull();
    assertThat(KeyCodec.position(Arrays.copyOf(key, KeyCodec.SPACE_BYTES + 1))).isNull();
    byte[] wrong = border.clone();
    wrong[KeyCodec.SPACE_BYTES + 1] = 7;
    assertThat(KeyCodec.position(wrong)).isNull();
  }
}
