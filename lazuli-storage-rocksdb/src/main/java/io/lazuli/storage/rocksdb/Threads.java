package io.lazuli.storage.rocksdb;

/** The threads of an engine: named, and no reason for a process to stay alive. */
final class Threads {
  private Threads() {}

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Waits for the thread's end, also when interrupted: native memory is freed after it. */
  static void join(Thread thread) {
    if (thread == Thread.currentThread()) {
      throw new IllegalStateException("an engine is not closed on a thread of its own");
    }
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
