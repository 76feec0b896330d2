package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import org.junit.jupiter.api.Test;

final class BytesTest {
  private static final Values<Bytes> ANY = Values.either(Values.bytes(3), Values.bytes(255));
  private static final Values<Pair> PAIRS = ANY.with(ANY, Pair::new);

  private record Pair(Bytes one, Bytes other) {}

  @Test
  void orderAgreesWithUnsignedBytesAPrefixFirst() {
    Fuzz.forAll(
        1_000,
        PAIRS,
        pair -> {
          int expected = Integer.signum(pair.one.toString().compareTo(pair.other.toString()));
          assertThat(Integer.signum(pair.one.compareTo(pair.other))).isEqualTo(expected);
          assertThat(pair.one.equals(pair.other)).isEqualTo(expected == 0);
        });
  }

  @Test
  void nothingLiesBetweenBytesAndTheirSuccessor() {
    Fuzz.forAll(
        1_000,
        PAIRS,
        pair -> {
          Bytes next = pair.one.successor();
          assertThat(next).isGreaterThan(pair.one);
          assertThat(pair.other.compareTo(pair.one) > 0 && pair.other.compareTo(next) < 0)
              .isFalse();
        });
  }

  @Test
  void equalBytesAreEqualWhateverTheirArray() {
    Bytes one = Bytes.of(new byte[] {1, 2});
    Bytes other = Bytes.of(new byte[] {1, 2});
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString("0102");
    assertThat(one).isNotEqualTo(Bytes.of(new byte[] {1, 2, 0}));
    assertThat(Bytes.of(new byte[0])).isSameAs(Bytes.EMPTY);
  }
}
