package io.lazuli.transfer.progress;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.http.TransferException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks, of which few wait. The first failure ends the work: waiting tasks do not
 * run, and {@link #submit} and {@link #drain} throw it.
 */
public final class Workers implements AutoCloseable {
  private final int waitingMax;

  @GuardedBy("this")
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private int busy;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  public Workers(int threads) {
    waitingMax = threads;
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(this::work, "transfer-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Adds a task; waits while many others wait. */
  public synchronized void submit(Runnable task) {
    try {
      while (failure == null && waiting.size() >= waitingMax) {
        wait();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    throwFailure();
    waiting.add(task);
    notifyAll();
  }

  /** Waits until all tasks have ended. */
  public synchronized void drain() {
    try {
      while (busy > 0 || (failure == null && !waiting.isEmpty())) {
        wait();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    throwFailure();
  }

  @GuardedBy("this")
  private void throwFailure() {
    if (failure instanceof TransferException e) {
      throw e;
    }
    if (failure != null) {
      throw new TransferException(String.valueOf(failure.getMessage()), failure);
    }
  }

  private static TransferException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TransferException("interrupted", e);
  }

  private void work() {
    Runnable task = take();
    while (task != null) {
      Throwable thrown = run(task);
      synchronized (this) {
        busy--;
        if (failure == null) {
          failure = thrown;
        }
        notifyAll();
      }
      task = take();
    }
  }

  /** Runs a task at the root of a thread: whatever happens must end the work. */
  private static @Nullable Throwable run(Runnable task) {
    try {
      task.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private synchronized @Nullable Runnable take() {
    try {
      while (!closed && (waiting.isEmpty() || failure != null)) {
        wait();
      }
    } catch (InterruptedException e) {
      return null;
    }
    if (closed) {
      return null;
    }
    busy++;
    Runnable task = waiting.poll();
    notifyAll();
    return task;
  }

  /** Ends the threads after the tasks that run. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    try {
      while (busy > 0) {
        wait();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }
}
