package io.lazuli.examples;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A worker in its own process, which stops after a step and waits to be killed. */
final class ArchiveWorker {
  private ArchiveWorker() {}

  /** Takes a connection string and the name of the step. */
  public static void main(String[] args) {
    ArchiveExample worker =
        new ArchiveExample(args[0], Duration.ofSeconds(1), step -> reached(step, args[1]));
    boolean more = true;
    while (more) {
      more = worker.processOne();
    }
  }

  private static void reached(String step, String last) {
    System.out.println(step);
    while (step.equals(last)) {
      LockSupport.park();
    }
  }
}
