package io.lazuli.transfer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys of usual forms are split into parts of which none is much too small. */
class MiddleKeyTest {
  private int probes;

  /** Returns the share of the keys after the first one that the lower part keeps. */
  private double lowerPart(List<String> keys) {
    TreeSet<String> sorted = new TreeSet<>(keys);
    String low = sorted.first();
    probes = 0;
    String middle =
        new MiddleKey(
                text -> {
                  probes++;
                  return sorted.ceiling(text);
                })
            .find(low, null);
    assertThat(middle).isNotNull().isIn(sorted).isGreaterThan(low);
    return sorted.subSet(low, false, middle, false).size() / (sorted.size() - 1.0);
  }

  @Test
  void keysOfUsualFormsAreSplitNearTheMiddle() {
    List<String> numbers = new ArrayList<>();
    List<String> dates = new ArrayList<>();
    List<String> guids = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      numbers.add(String.format("customer-%06d", i));
      dates.add(String.format("2026-%02d-%02dT%05d", 1 + i % 12, 1 + i % 28, i));
      guids.add(new UUID(random.nextLong(), random.nextLong()).toString());
    }
    for (List<String> keys : List.of(numbers, dates, guids)) {
      assertThat(lowerPart(keys)).isBetween(0.05, 0.95);
      assertThat(probes).isLessThan(64);
    }
  }

  @Test
  void aSingleKeyIsNotSplit() {
    assertThat(new MiddleKey(text -> null).find("only", null)).isNull();
    assertThat(new MiddleKey(text -> null).find("", null)).isNull();
    assertThat(new MiddleKey(text -> null).find("a", "b")).isNull();
  }

  /** The text must be between the bounds, or the service would be asked for other keys. */
  @Test
  void theMiddleIsBetweenItsBounds() {
    Random random = new Random(11);
    String characters = "\u0001 !09AZaz~\u007f\u00e9\u65e5\ud7ff\ue000\uffee";
    for (int i = 0; i < 100_000; i++) {
      String low = text(random, characters);
      String high = text(random, characters);
      if (low.compareTo(high) < 0) {
        String middle = MiddleKey.middle(low, high);
        if (middle != null) {
          assertThat(middle).isGreaterThan(low).isLessThan(high);
        }
      }
    }
  }

  private static String text(Random random, String characters) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }
}
