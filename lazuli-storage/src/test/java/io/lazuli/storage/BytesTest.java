package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class BytesTest {
  @Property
  void orderAgreesWithUnsignedBytesAPrefixFirst(@ForAll byte[] one, @ForAll byte[] other) {
    int expected = Integer.signum(hex(one).compareTo(hex(other)));
    assertThat(Integer.signum(Bytes.of(one).compareTo(Bytes.of(other)))).isEqualTo(expected);
    assertThat(Bytes.of(one).equals(Bytes.of(other))).isEqualTo(expected == 0);
  }

  @Property
  void nothingLiesBetweenBytesAndTheirSuccessor(@ForAll byte[] one, @ForAll byte[] other) {
    Bytes bytes = Bytes.of(one);
    Bytes between = Bytes.of(other);
    assertThat(bytes.successor()).isGreaterThan(bytes);
    assertThat(between.compareTo(bytes) > 0 && between.compareTo(bytes.successor()) < 0).isFalse();
  }

  @Example
  void equalBytesAreEqualWhateverTheirArray() {
    Bytes one = Bytes.of(new byte[] {1, 2});
    Bytes other = Bytes.of(new byte[] {1, 2});
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString("0102");
    assertThat(one).isNotEqualTo(Bytes.of(new byte[] {1, 2, 0}));
    assertThat(Bytes.of(new byte[0])).isSameAs(Bytes.EMPTY);
  }

  private static String hex(byte[] bytes) {
    return Bytes.of(bytes).toString();
  }
}
