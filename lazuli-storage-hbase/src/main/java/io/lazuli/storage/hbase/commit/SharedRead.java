package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shares one read among many callers that want the same value. Callers that arrive during a read
 * share the next one, because the running read may return a value from before their call.
 * Thread-safe. Blocks.
 *
 * @param <T> the value
 */
final class SharedRead<T> {
  private final Function<Deadline, T> read;

  @GuardedBy("this")
  private @Nullable CompletableFuture<T> running;

  /** The read after the running one. The thread that creates it performs it. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<T> next;

  SharedRead(Function<Deadline, T> read) {
    this.read = read;
  }

  /** Returns the value as of a point in time after the call began. */
  T get(Deadline deadline) {
    CompletableFuture<T> before;
    CompletableFuture<T> mine = new CompletableFuture<>();
    CompletableFuture<T> others;
    synchronized (this) {
      before = running;
      others = before == null ? null : next;
      if (before == null) {
        running = mine;
      } else if (others == null) {
        next = mine;
      }
    }
    if (others != null) {
      T shared = await(others, deadline);
      return shared != null ? shared : read.apply(deadline);
    }
    if (before != null) {
      await(before, deadline);
      begin(mine);
    }
    return lead(mine, deadline);
  }

  private synchronized void begin(CompletableFuture<T> mine) {
    running = mine;
    next = null;
  }

  /**
   * Reads on behalf of all callers that share the future. If the future is cancelled, each of them
   * reads for itself.
   */
  private T lead(CompletableFuture<T> mine, Deadline deadline) {
    try {
      T value = read.apply(deadline);
      mine.complete(value);
      return value;
    } finally {
      mine.cancel(false);
      end(mine);
    }
  }

  private synchronized void end(CompletableFuture<T> mine) {
    if (running == mine) {
      running = null;
    }
  }

  /** Returns the result of another thread's read; null if it fails or does not come in time. */
  private static <T> @Nullable T await(CompletableFuture<T> future, Deadline deadline) {
    try {
      return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | java.util.concurrent.CancellationException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
