package io.lazuli.client.pattern.keydesign;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

/**
 * The seconds in which queries of one shape touched many partitions. A second's partitions are
 * hashed into 64 bits, from which their number is estimated. Mutable; the owner synchronises.
 */
final class FanOutBursts {
  private static final int BITS = Long.SIZE;
  private static final int WINDOW_SECONDS = 300;

  /** Spreads the bits of a hash code; the top six of the product select a bit. */
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  private static final int TOP_BITS_SHIFT = Integer.SIZE - 6;

  private final String shape;
  private final Deque<Burst> bursts = new ArrayDeque<>();
  private long second = -1;
  private long bitmap;
  private int named;

  /** A second, or one query, with many partitions. */
  private record Burst(long second, long partitions) {}

  FanOutBursts(String shape) {
    this.shape = shape;
  }

  void add(Set<String> partitions, long now) {
    turnTo(now);
    if (partitions.size() >= Rules.FAN_OUT_MIN) {
      push(new Burst(now, partitions.size()));
      return;
    }
    for (String partition : partitions) {
      bitmap |= 1L << ((partition.hashCode() * GOLDEN_RATIO) >>> TOP_BITS_SHIFT);
      named++;
    }
  }

  private void turnTo(long now) {
    if (now > second) {
      long estimate = Math.min(named, estimate(Long.bitCount(bitmap)));
      if (estimate >= Rules.FAN_OUT_MIN) {
        push(new Burst(second, estimate));
      }
      second = now;
      bitmap = 0;
      named = 0;
    }
  }

  /** Returns the most likely number of different partitions that set a number of bits. */
  static long estimate(int bits) {
    double free = Math.max(0.5, BITS - bits) / BITS;
    return Math.round(-BITS * Math.log(free));
  }

  private void push(Burst burst) {
    bursts.addLast(burst);
    if (bursts.size() > WINDOW_SECONDS) {
      bursts.removeFirst();
    }
  }

  Optional<Finding> finding(long now) {
    turnTo(now);
    while (!bursts.isEmpty() && bursts.getFirst().second() < now - WINDOW_SECONDS) {
      bursts.removeFirst();
    }
    long most = bursts.stream().mapToLong(Burst::partitions).max().orElse(0);
    return bursts.size() < Rules.BURSTS_MIN
        ? Optional.empty()
        : Rules.fanOut(shape, most, ", " + bursts.size() + " times in five minutes");
  }
}
