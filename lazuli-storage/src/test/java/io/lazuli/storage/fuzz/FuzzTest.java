package io.lazuli.storage.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FuzzTest {
  @Test
  void aFailureNamesTheSeedThatRepeatsItsRound() {
    List<Long> seen = new ArrayList<>();
    Fuzz.Check<Long> third =
        input -> {
          seen.add(input);
          assertThat(seen).hasSizeLessThan(3);
        };
    assertThatThrownBy(() -> Fuzz.run(1_000, 10, Random::nextLong, third))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dfuzz.seed=1002 -Dfuzz.rounds=1 fails on " + seen.get(2));
    assertThatThrownBy(() -> Fuzz.run(1_002, 1, Random::nextLong, third))
        .hasMessageContaining("fails on " + seen.get(2));
  }

  @Test
  void theFirstNumberOfARoundIsAnyNumber() {
    Set<Integer> seen = new HashSet<>();
    Fuzz.run(1_000, 200, random -> random.nextInt(16), seen::add);
    assertThat(seen).hasSize(16);
  }

  @Test
  void everyEdgeCaseIsCheckedAndAFailureShowsIt() {
    Values<String> texts = Values.texts(5);
    assertThat(texts.edges()).contains("", "\0", "\ud800", "\udfff", "\uffff");
    Set<String> seen = new HashSet<>();
    Fuzz.forAll(1, texts, seen::add);
    assertThat(seen).containsAll(texts.edges());
    assertThatThrownBy(() -> Fuzz.forAll(1, texts, text -> assertThat(text).isNotEqualTo("\ud800")))
        .hasMessageContaining("fails on the edge case \\ud800");
  }

  @Test
  void valuesStayWithinTheirBounds() {
    Fuzz.forAll(1_000, Values.longs(-3, 200), number -> assertThat(number).isBetween(-3L, 200L));
    Fuzz.forAll(
        1_000,
        Values.longs(Long.MIN_VALUE, -5),
        number -> assertThat(number).isLessThanOrEqualTo(-5));
    Fuzz.forAll(1_000, Values.texts(4), text -> assertThat(text.length()).isBetween(0, 4));
    Fuzz.forAll(1_000, Values.bytes(4), bytes -> assertThat(bytes.length()).isBetween(0, 4));
  }

  @Test
  void pairsHaveEveryPairOfEdgeCases() {
    Values<String> pairs =
        Values.of(List.of("a", "b")).with(Values.of(List.of("c", "d")), String::concat);
    assertThat(pairs.edges()).containsExactly("ac", "ad", "bc", "bd");
  }
}
