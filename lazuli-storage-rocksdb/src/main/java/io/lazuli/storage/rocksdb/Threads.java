package io.lazuli.storage.rocksdb;

/** Waiting for a thread that is about to end. */
final class Threads {
  private Threads() {}

  /** Waits for the thread's end, also when interrupted: native memory is freed after it. */
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
