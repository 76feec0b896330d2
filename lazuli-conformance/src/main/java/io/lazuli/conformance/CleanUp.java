package io.lazuli.conformance;

import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What the cases created in an account that is not ours to throw away, and how to remove it. Done
 * at the end of a run, and when the JVM is told to stop before that.
 */
public final class CleanUp {

  private static final Queue<Runnable> PENDING = new ConcurrentLinkedQueue<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(CleanUp::run, "clean-up"));
  }

  private CleanUp() {}

  /** Remembers how to remove something; nothing to do when it is not there is no failure. */
  public static void later(Runnable removal) {
    if (AccountUnderTest.isElsewhere()) {
      PENDING.add(removal);
    }
  }

  public static int pending() {
    return PENDING.size();
  }

  /** Removes everything. Stops when the service does not answer: waiting for each would not end. */
  public static void run() {
    try {
      for (Runnable removal = PENDING.poll(); removal != null; removal = PENDING.poll()) {
        removal.run();
      }
    } catch (UncheckedIOException e) {
      System.err.println("conformance: could not remove what was created: " + e.getMessage());
      PENDING.clear();
    }
  }
}
