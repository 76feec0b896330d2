package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Space;

/** Returns the text that stands for a space in a key for people. */
@FunctionalInterface
public interface SpaceLabels {
  /** Every space is shown as the counter in its number. */
  SpaceLabels COUNTERS = space -> String.valueOf(Space.counter(space));

  String of(long space);
}
