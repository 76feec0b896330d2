package io.lazuli.storage;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a table, a queue or a container: a number that is never used again, and the
 * catalogue partition that names it, its home. The catalogue itself has no home and is never
 * dropped.
 *
 * @param number 63 bits: three of kind, then a counter with its 60 bits reversed
 * @param home the catalogue partition that names this space; null for the catalogue only
 */
public record Space(long number, @Nullable Partition home) {
  /** The space of all catalogue partitions. */
  public static final Space CATALOGUE = new Space(0, null);

  private static final int COUNTER_BITS = 60;

  public Space {
    if (number < 0) {
      throw new IllegalArgumentException("a space number has 63 bits");
    }
    if ((number == 0) != (home == null)) {
      throw new IllegalArgumentException("every space but the catalogue has a home");
    }
  }

  /** Returns the number of a space, from its kind and its counter. */
  public static long number(SpaceKind kind, long counter) {
    if (counter < 0 || counter >>> COUNTER_BITS != 0) {
      throw new IllegalArgumentException("the counter has 60 bits");
    }
    return (long) kind.code() << COUNTER_BITS | Long.reverse(counter) >>> (64 - COUNTER_BITS);
  }

  /** Returns the counter in the number of a space. */
  public static long counter(long number) {
    return Long.reverse(number << (64 - COUNTER_BITS));
  }

  public SpaceKind kind() {
    return SpaceKind.ofCode((int) (number >>> COUNTER_BITS));
  }

  /** Returns the home of a space that is not the catalogue. */
  public Partition requireHome() {
    return Objects.requireNonNull(home, "the catalogue has no home");
  }
}
