package io.lazuli.conformance;

import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Removes the resources that the cases created in an account that outlives the run. This happens at
 * the end of a run, or when the JVM is stopped before that.
 */
public final class CleanUp {

  private static final Queue<Runnable> PENDING = new ConcurrentLinkedQueue<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(CleanUp::run, "clean-up"));
  }

  private CleanUp() {}

  /**
   * Remembers how to remove a resource. The removal must not fail if the resource does not exist.
   */
  public static void later(Runnable removal) {
    if (AccountUnderTest.isElsewhere()) {
      PENDING.add(removal);
    }
  }

  public static int pending() {
    return PENDING.size();
  }

  /**
   * Removes all remembered resources. Gives up when the service does not answer, because waiting
   * for every removal could take hours.
   */
  public static void run() {
    try {
      for (Runnable removal = PENDING.poll(); removal != null; removal = PENDING.poll()) {
        removal.run();
      }
    } catch (UncheckedIOException e) {
      System.err.println(
          "conformance: could not remove the resources that the cases created: " + e.getMessage());
      PENDING.clear();
    }
  }
}
