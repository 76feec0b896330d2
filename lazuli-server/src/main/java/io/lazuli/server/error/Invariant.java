package io.lazuli.server.error;

/** Checks conditions that must hold for every input. The checks are always on. */
public final class Invariant {
  private Invariant() {}

  public static void check(boolean holds, String broken) {
    if (!holds) {
      throw new IllegalStateException(broken);
    }
  }
}
