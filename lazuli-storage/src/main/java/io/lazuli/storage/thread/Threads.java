package io.lazuli.storage.thread;

import java.time.Duration;

/** Makes and joins named daemon threads, which do not keep a process alive. */
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
    boolean ended = false;
    while (!ended) {
      ended = join(thread, Duration.ofDays(1));
    }
  }

  /**
   * Waits a bounded time until the thread ends, even if the caller is interrupted.
   *
   * @return false if the thread still runs
   */
  public static boolean join(Thread thread, Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    boolean interrupted = false;
    long left = wait.toNanos();
    while (thread.isAlive() && left > 0) {
      try {
        // Zero would mean to wait forever.
        thread.join(left / 1_000_000 + 1);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = end - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
