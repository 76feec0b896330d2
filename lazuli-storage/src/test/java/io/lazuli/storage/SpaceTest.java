package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

final class SpaceTest {
  private static final Partition HOME = new Partition(Space.CATALOGUE, Bytes.EMPTY);

  @Property
  void aNumberTellsItsKindAndItsCounter(
      @ForAll SpaceKind kind, @ForAll @LongRange(min = 1, max = (1L << 60) - 1) long counter) {
    long number = Space.number(kind, counter);
    assertThat(number).isPositive();
    assertThat(new Space(number, HOME).kind()).isEqualTo(kind);
    assertThat(Space.counter(number)).isEqualTo(counter);
  }

  @Example
  void numbersThatFollowEachOtherLieFarApart() {
    long apart = Space.number(SpaceKind.TABLE, 1) - Space.number(SpaceKind.TABLE, 2);
    assertThat(Math.abs(apart)).isGreaterThan(1L << 57);
  }

  @Example
  void whatIsNoNumberIsRefused() {
    assertThatThrownBy(() -> Space.number(SpaceKind.TABLE, 1L << 60))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Space.number(SpaceKind.TABLE, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Space(-1, HOME)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SpaceKind.ofCode(5)).isInstanceOf(IllegalArgumentException.class);
  }

  @Example
  void onlyTheCatalogueHasNoHome() {
    assertThatThrownBy(() -> new Space(1, null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Space(0, HOME)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(Space.CATALOGUE::requireHome).isInstanceOf(NullPointerException.class);
    assertThat(new Space(1, HOME).requireHome()).isEqualTo(HOME);
    assertThat(Space.CATALOGUE.kind()).isEqualTo(SpaceKind.CATALOGUE);
  }
}
