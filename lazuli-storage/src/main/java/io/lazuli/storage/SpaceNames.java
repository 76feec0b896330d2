package io.lazuli.storage;

import java.util.Map;
import java.util.Set;

/** Knows what people call a space. An engine knows only the numbers of spaces. */
@FunctionalInterface
public interface SpaceNames {
  /** Knows no names. */
  SpaceNames NONE = spaces -> Map.of();

  /**
   * Returns the account and the name of each space that has one, for example {@code acme/Orders}.
   * May read the store and block for a few seconds. Never throws: a name that cannot be found is
   * missing in the result. Names may be some minutes old.
   */
  Map<Long, String> of(Set<Long> spaces);
}
