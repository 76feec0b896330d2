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
 * One read at a time for many who want to know the same: whoever comes while a read is under way
 * shares the next one, because what the running one tells may be older than the question. Safe for
 * any number of threads; blocks.
 *
 * @param <T> what is read
 */
final class SharedRead<T> {
  private final Function<Deadline, T> read;

  @GuardedBy("this")
  private @Nullable CompletableFuture<T> running;

  /** Begins when the running one has ended; made by the one who will do it. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<T> next;

  SharedRead(Function<Deadline, T> read) {
    this.read = read;
  }

  /** The state as of a moment after this call began. */
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

  /** Reads for all who share the future; those who then find nothing in it read for themselves. */
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

  /** What another reads, if it comes in time. */
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
