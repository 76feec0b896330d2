package io.lazuli.server.rehearsal;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * Decides which requests meet trouble in a rehearsal. Every fault has its own sequence, derived
 * from the seed: a client that sends one request after another meets the same trouble in every run.
 * Thread-safe.
 */
public final class Dice {
  private final Rehearsal rehearsal;
  private final Map<Fault, Random> sequences = new EnumMap<>(Fault.class);
  private final Random delays;

  public Dice(Rehearsal rehearsal) {
    this.rehearsal = rehearsal;
    for (Fault fault : rehearsal.percents().keySet()) {
      sequences.put(fault, new Random(rehearsal.seed() * 31 + fault.label().hashCode()));
    }
    this.delays = new Random(rehearsal.seed());
  }

  /** Returns true if the fault occurs at the next request that it applies to. */
  public boolean falls(Fault fault) {
    Random sequence = sequences.get(fault);
    Integer percent = rehearsal.percents().get(fault);
    return sequence != null && percent != null && sequence.nextInt(100) < percent;
  }

  /**
   * Returns how many entities of a page remain: at least one, with small and large numbers equally
   * likely.
   */
  public int cut(int entities) {
    Random sequence = sequences.get(Fault.CUT_PAGES);
    if (sequence == null || entities < 2) {
      return entities;
    }
    int digits = Integer.SIZE - Integer.numberOfLeadingZeros(entities - 1);
    return 1 + sequence.nextInt(1 << sequence.nextInt(digits));
  }

  /** Returns the delay of the next answer in milliseconds. */
  public long delayMillis() {
    long most = rehearsal.latency().toMillis();
    return most == 0 ? 0 : delays.nextLong(most + 1);
  }
}
