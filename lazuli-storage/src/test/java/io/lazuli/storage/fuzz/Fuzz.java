package io.lazuli.storage.fuzz;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Runs a check on many random inputs. Each round has its own seed, and a failure names it: {@code
 * -Dfuzz.seed=} that number with {@code -Dfuzz.rounds=1} repeats the round alone.
 */
public final class Fuzz {
  private static final int SHOWN_CHARACTERS_MAX = 4_000;

  private Fuzz() {}

  /** Makes the input of a round. */
  @FunctionalInterface
  public interface Source<T> {
    T next(Random random) throws Exception;
  }

  /** Throws if the code under test does not handle the input correctly. */
  @FunctionalInterface
  public interface Check<T> {
    void of(T input) throws Exception;
  }

  /**
   * Checks a number of random inputs, or more with {@code -Plong}.
   *
   * @param input a failure shows its {@code toString}
   */
  public static <T> void run(int rounds, Source<T> input, Check<T> check) {
    long seed = Long.getLong("fuzz.seed", System.nanoTime());
    int count = Integer.getInteger("fuzz.rounds", rounds * Integer.getInteger("fuzz.factor", 1));
    run(seed, count, input, check);
  }

  static <T> void run(long seed, int rounds, Source<T> input, Check<T> check) {
    for (int i = 0; i < rounds; i++) {
      round(seed + i, input, check);
    }
  }

  /** Checks every edge case of the values once, then a number of random values. */
  public static <T> void forAll(int rounds, Values<T> values, Check<T> check) {
    checkEach(values.edges(), check);
    run(rounds, values, check);
  }

  private static <T> void checkEach(List<T> inputs, Check<T> check) {
    for (T input : inputs) {
      try {
        check.of(input);
      } catch (Throwable failure) {
        throw new AssertionError("fails on the edge case " + printable("" + input), failure);
      }
    }
  }

  /** Catches everything, errors too, because the message needs the seed. */
  private static <T> void round(long seed, Source<T> input, Check<T> check) {
    String shown = "";
    try {
      // The first numbers of a Random hardly differ between neighbouring seeds.
      T next = input.next(new Random(new SplittableRandom(seed).nextLong()));
      shown = next.toString();
      check.of(next);
    } catch (Throwable failure) {
      throw new AssertionError(
          "-Dfuzz.seed=" + seed + " -Dfuzz.rounds=1 fails on " + printable(shown), failure);
    }
  }

  private static String printable(String text) {
    StringBuilder out = new StringBuilder();
    text.chars()
        .limit(SHOWN_CHARACTERS_MAX)
        .forEach(
            c -> {
              if ((c >= ' ' && c < 0x7f) || c == '\n') {
                out.append((char) c);
              } else {
                out.append(String.format("\\u%04x", c));
              }
            });
    return out.append(" (").append(text.length()).append(" characters)").toString();
  }
}
