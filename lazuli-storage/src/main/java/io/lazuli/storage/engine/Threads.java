package io.lazuli.storage.engine;

/**
 * Makes and joins the threads of engines: named daemon threads, which do not keep a process alive.
 */
public final class Threads {
  private Threads() {}

  public static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Waits until the thread ends, even if the caller is interrupted, because the caller then
   * releases resources that the thread uses.
   */
  public static void join(Thread thread) {
    if (thread == Thread.currentThread()) {
      throw new IllegalStateException("an engine cannot be closed on one of its own threads");
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
