package io.lazuli.storage.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Position;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

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

  @Property(edgeCases = EdgeCasesMode.NONE)
  void orderOfEncodedKeysIsTheOrderOfSpacePartitionAndRow(
      @ForAll("keys") Key one, @ForAll("keys") Key other) {
    int encoded = Arrays.compareUnsigned(one.encoded(), other.encoded());
    assertThat(Integer.signum(encoded)).isEqualTo(Integer.signum(one.compareTo(other)));
  }

  @Property
  void whatWasEncodedComesBack(@ForAll("keys") Key key) {
    byte[] encoded = key.encoded();
    LentBytes partition = new LentBytes();
    LentBytes row = new LentBytes();
    KeyCodec.lend(encoded, encoded.length, partition, row);
    assertThat(KeyCodec.space(encoded)).isEqualTo(key.space);
    assertThat(Bytes.of(partition.copy())).isEqualTo(key.partition);
    assertThat(Bytes.of(row.copy())).isEqualTo(key.row);
  }

  @Property
  void theFirstZeroEndsThePartition(@ForAll("keys") Key key) {
    byte[] encoded = key.encoded();
    int end = KeyCodec.partitionEnd(encoded, encoded.length);
    for (int i = 0; i < end; i++) {
      assertThat(encoded[i]).isNotZero();
    }
    assertThat(encoded[end]).isZero();
    assertThat(encoded.length - end - 1).isEqualTo(key.row.length());
  }

  @Property
  void noByteOfASpaceIsZeroOrOne(@ForAll @LongRange(min = 0) long space) {
    byte[] start = KeyCodec.spaceStart(space);
    assertThat(start).hasSize(KeyCodec.SPACE_BYTES);
    for (byte b : start) {
      assertThat(b).isNegative();
    }
  }

  @Property
  void everyKeyOfASpaceLiesBetweenItsStartAndItsEnd(@ForAll("keys") Key key) {
    byte[] encoded = key.encoded();
    assertThat(Arrays.compareUnsigned(KeyCodec.spaceStart(key.space), encoded)).isNegative();
    if (key.space < Long.MAX_VALUE) {
      assertThat(Arrays.compareUnsigned(encoded, KeyCodec.spaceEnd(key.space))).isNegative();
    }
  }

  @Property
  void everyKeyOfAPartitionLiesBetweenItsStartAndItsEnd(@ForAll("keys") Key key) {
    byte[] start = KeyCodec.encode(key.space, Position.startOf(key.partition));
    byte[] end = KeyCodec.encode(key.space, Position.endOf(key.partition));
    assertThat(Arrays.compareUnsigned(start, key.encoded())).isNotPositive();
    assertThat(Arrays.compareUnsigned(key.encoded(), end)).isNegative();
  }

  @Example
  void bytesOnDiskAreAsDocumented() {
    Bytes partition = Bytes.of(new byte[] {'p', 0, 1, 2});
    Bytes row = Bytes.of(new byte[] {0, 1, 'r'});
    assertThat(HexFormat.of().formatHex(KeyCodec.encode(130, partition, row)))
        .isEqualTo("80808080808080" + "8182" + "70" + "0101" + "0102" + "02" + "00" + "000172");
    assertThat(HexFormat.of().formatHex(KeyCodec.spaceStart(Long.MAX_VALUE)))
        .isEqualTo("ff".repeat(9));
  }

  @Example
  void theLongestKeysComeBack() {
    Key key = new Key(7, Bytes.of(new byte[3_072]), Bytes.of(new byte[3_072]));
    assertThat(key.encoded()).hasSize(9 + 2 * 3_072 + 1 + 3_072);
    whatWasEncodedComesBack(key);
  }

  @Example
  void whatIsNoRecordKeyIsRefused() {
    byte[] start = KeyCodec.spaceStart(1);
    assertThatThrownBy(() -> KeyCodec.partitionEnd(start, start.length))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyCodec.spaceEnd(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Provide
  Arbitrary<Key> keys() {
    Arbitrary<Long> spaces =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 200), Arbitraries.longs().between(0, Long.MAX_VALUE));
    return Combinators.combine(spaces, names(), names()).as(Key::new);
  }

  /** Short names of few different bytes, so that prefixes and escapes meet. */
  private static Arbitrary<Bytes> names() {
    return Arbitraries.of(
            (byte) 0, (byte) 1, (byte) 2, (byte) 'a', (byte) 127, (byte) -128, (byte) -1)
        .array(byte[].class)
        .ofMaxSize(5)
        .map(Bytes::of);
  }
}
