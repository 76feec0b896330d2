package io.lazuli.storage;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a table, a queue or a container: a number that is never used again, and the
 * catalogue partition that names it, its home. The catalogue itself has no home and is never
 * dropped.
 *
 * <p>A space may have a gate: another space, without records, that stands for one name of it. Calls
 * through a gate fail once the gate was dropped, although the records stay. So a name can lose its
 * space and the space can get another name later. A space that is dropped must lose its gate in the
 * same transaction. Spaces are equal if they have the same records, whatever their gates are.
 *
 * @param number 63 bits: three of kind, then a counter with its 60 bits reversed
 * @param home the catalogue partition that names this space; null for the catalogue only
 * @param gate the number of the gate; 0 for none
 */
public record Space(long number, @Nullable Partition home, long gate) {
  /** The space of all catalogue partitions. */
  public static final Space CATALOGUE = new Space(0, null);

  private static final int COUNTER_BITS = 60;

  public Space {
    if (number < 0 || gate < 0) {
      throw new IllegalArgumentException("a space number has 63 bits");
    }
    if ((number == 0) != (home == null)) {
      throw new IllegalArgumentException("every space but the catalogue has a home");
    }
  }

  /** Makes a space without a gate. */
  public Space(long number, @Nullable Partition home) {
    this(number, home, 0);
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

  /** Returns the number whose drop ends the calls on this space: its gate, if it has one. */
  public long guard() {
    return gate == 0 ? number : gate;
  }

  /** Returns the same records without a gate, for work that goes on while no name leads to them. */
  public Space withoutGate() {
    return gate == 0 ? this : new Space(number, home);
  }

  /** Returns the home of a space that is not the catalogue. */
  public Partition requireHome() {
    return Objects.requireNonNull(home, "the catalogue has no home");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Space that && number == that.number && Objects.equals(home, that.home);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(number) + Objects.hashCode(home);
  }
}
