package io.lazuli.server;

import java.util.Random;

/**
 * Runs a check on many random inputs. Every round has a seed of its own, which a failure names:
 * with {@code -Dfuzz.seed=} that number and {@code -Dfuzz.rounds=1} it is repeated alone.
 */
public final class Fuzz {
  private static final int SHOWN_CHARACTERS_MAX = 4_000;

  private Fuzz() {}

  /** Makes the input of a round. */
  @FunctionalInterface
  public interface Source<T> {
    T next(Random random) throws Exception;
  }

  /** Fails if the input is not dealt with as it should be. */
  @FunctionalInterface
  public interface Check<T> {
    void of(T input) throws Exception;
  }

  /**
   * Checks that many inputs, more with {@code -Plong}.
   *
   * @param input its {@code toString} is shown if the check fails
   */
  public static <T> void run(int rounds, Source<T> input, Check<T> check) {
    long seed = Long.getLong("fuzz.seed", System.nanoTime());
    int count = Integer.getInteger("fuzz.rounds", rounds * Integer.getInteger("fuzz.factor", 1));
    for (int i = 0; i < count; i++) {
      round(seed + i, input, check);
    }
  }

  /** A thread root of sorts: whatever is thrown, an Error too, needs its seed beside it. */
  private static <T> void round(long seed, Source<T> input, Check<T> check) {
    String shown = "";
    try {
      T next = input.next(new Random(seed));
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
