package io.lazuli.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares random histories with a model of a few lines. A failure names the seed that repeats it.
 */
interface ModelContract extends EngineUnderTest {
  int HISTORIES = 6;
  int STEPS = 120;

  @Test
  default void randomHistoriesEqualTheModel() {
    long firstSeed = Long.getLong("lazuli.seed", new Random().nextInt());
    for (long seed = firstSeed; seed < firstSeed + HISTORIES; seed++) {
      RandomHistory history = new RandomHistory(fixture(), keepsData(), seed);
      try {
        history.run(STEPS);
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError(
            "repeat with -Dlazuli.seed=" + seed + "; history:\n" + history, failure);
      }
      assertThat(history.steps()).isEqualTo(STEPS);
    }
  }
}
