package io.lazuli.server.error;

/** Checks of what must hold whatever the input was; always on. */
public final class Invariant {
  private Invariant() {}

  public static void check(boolean holds, String broken) {
    if (!holds) {
      throw new IllegalStateException(broken);
    }
  }
}
