package io.lazuli.conformance.siege;

import java.time.Duration;

/**
 * The size of an attack. The short form fits into every build. The full form offers four times the
 * heap of the server.
 */
enum Strength {
  SHORT(Duration.ofMillis(700)),
  FULL(Duration.ofSeconds(Integer.getInteger("siege.seconds", 20)));

  private final Duration period;

  Strength(Duration period) {
    this.period = period;
  }

  /** Returns how long an attack lasts that has no end of its own. */
  Duration period() {
    return period;
  }

  int of(int small, int full) {
    return this == SHORT ? small : full;
  }

  /** Returns how many pieces of this size make four times the server's heap. */
  int count(int small, long pieceBytes) {
    return of(small, Math.toIntExact(4L * Target.HEAP_MIB * (1 << 20) / pieceBytes + 1));
  }
}
