package io.lazuli.server.load.rule;

import org.jspecify.annotations.Nullable;

/** Looks for one kind of problem in one space. */
@FunctionalInterface
interface Rule {
  /** Returns what it found; null if there is no such problem. */
  @Nullable Symptom find(SpaceWindow window);
}
