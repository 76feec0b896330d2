package io.lazuli.storage.engine;

/** The threads of an engine: named, and no reason for a process to stay alive. */
public final class Threads {
  private Threads() {}

  public static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Waits for the thread's end, also when interrupted: what it uses is given back after it. */
  public static void join(Thread thread) {
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
