package io.lazuli.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpaceTest {
  private static final Partition HOME = new Partition(Space.CATALOGUE, Bytes.EMPTY);

  private record Counted(SpaceKind kind, long counter) {}

  @Test
  void aNumberContainsItsKindAndItsCounter() {
    Values<SpaceKind> kinds = Values.of(List.of(SpaceKind.values()));
    Fuzz.forAll(
        1_000,
        kinds.with(Values.longs(1, (1L << 60) - 1), Counted::new),
        counted -> {
          long number = Space.number(counted.kind, counted.counter);
          assertThat(number).isPositive();
          assertThat(new Space(number, HOME).kind()).isEqualTo(counted.kind);
          assertThat(Space.counter(number)).isEqualTo(counted.counter);
        });
  }

  @Test
  void numbersThatFollowEachOtherLieFarApart() {
    long apart = Space.number(SpaceKind.TABLE, 1) - Space.number(SpaceKind.TABLE, 2);
    assertThat(Math.abs(apart)).isGreaterThan(1L << 57);
  }

  @Test
  void invalidNumbersAreRefused() {
    assertThatThrownBy(() -> Space.number(SpaceKind.TABLE, 1L << 60))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Space.number(SpaceKind.TABLE, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Space(-1, HOME)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SpaceKind.ofCode(6)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void spacesWithTheSameRecordsAreEqual() {
    Space gated = new Space(1, HOME, 2);
    assertThat(gated).isEqualTo(new Space(1, HOME)).hasSameHashCodeAs(new Space(1, HOME));
    assertThat(gated).isNotEqualTo(new Space(2, HOME, 2));
    assertThat(gated.guard()).isEqualTo(2);
    assertThat(gated.withoutGate().guard()).isEqualTo(1);
  }

  @Test
  void onlyTheCatalogueHasNoHome() {
    assertThatThrownBy(() -> new Space(1, null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Space(0, HOME)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(Space.CATALOGUE::requireHome).isInstanceOf(NullPointerException.class);
    assertThat(new Space(1, HOME).requireHome()).isEqualTo(HOME);
    assertThat(Space.CATALOGUE.kind()).isEqualTo(SpaceKind.CATALOGUE);
  }
}
