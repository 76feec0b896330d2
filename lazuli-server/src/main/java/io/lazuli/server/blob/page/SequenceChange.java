package io.lazuli.server.blob.page;

import org.jspecify.annotations.Nullable;

/**
 * A change of a sequence number.
 *
 * @param number the given number; 0 for {@link Action#INCREMENT}
 */
public record SequenceChange(Action action, long number) {
  /** The ways to change a sequence number. */
  public enum Action {
    MAX,
    UPDATE,
    INCREMENT
  }

  /** Returns the new number; null if it would be too large. */
  public @Nullable Long apply(long old) {
    return switch (action) {
      case MAX -> (Long) Math.max(old, number);
      case UPDATE -> (Long) number;
      case INCREMENT -> old == Long.MAX_VALUE ? null : (Long) (old + 1);
    };
  }
}
