package io.lazuli.server.load.fact;

import io.lazuli.server.load.count.SpaceName;
import org.jspecify.annotations.Nullable;

/** Finds the first and the last partition of tables. */
@FunctionalInterface
public interface TableEnds {
  /** The ends of a table. */
  record Ends(String first, String last, boolean hasMany) {}

  /** Returns the ends now; null if the table is empty or cannot be read. May block. */
  @Nullable Ends find(SpaceName table);
}
