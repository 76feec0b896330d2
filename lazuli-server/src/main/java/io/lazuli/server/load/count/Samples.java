package io.lazuli.server.load.count;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Picks one of {@code 2^k} requests, so that about {@code max} are picked in a second, and keeps
 * them until somebody takes them. Those beyond {@code max} are dropped. Thread-safe, without locks.
 */
final class Samples {
  private final AtomicReferenceArray<Sample> ring;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger seen = new AtomicInteger();
  private volatile int mask;

  Samples(int max) {
    this.ring = new AtomicReferenceArray<>(max);
  }

  /** Returns the number of requests that the next picked one stands for; 0 not to pick it. */
  int pick() {
    int all = mask;
    return (seen.getAndIncrement() & all) == 0 ? all + 1 : 0;
  }

  void add(Sample sample) {
    int place = next.getAndIncrement();
    if (place >= 0 && place < ring.length()) {
      ring.set(place, sample);
    }
  }

  /** Returns the samples since the last call, and decides how many requests the next ones skip. */
  List<Sample> take() {
    List<Sample> taken = new ArrayList<>();
    int count = Math.min(next.get(), ring.length());
    for (int i = 0; i < count; i++) {
      Sample sample = ring.getAndSet(i, null);
      if (sample != null) {
        taken.add(sample);
      }
    }
    next.set(0);
    int requests = seen.getAndSet(0);
    int every = 1;
    while (requests / every > ring.length()) {
      every *= 2;
    }
    mask = every - 1;
    return taken;
  }
}
