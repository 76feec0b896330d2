package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.Steps;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shares one read among many callers that want the same value. Callers that arrive during a read
 * share the next one, because the running read may return a value from before their call. Never
 * blocks. Thread-safe.
 *
 * @param <T> the value
 */
final class SharedRead<T> {
  private final Function<Deadline, CompletableFuture<T>> read;

  @GuardedBy("this")
  private boolean running;

  /** The read after the running one; null if nobody wants it yet. */
  @GuardedBy("this")
  private @Nullable Round<T> next;

  /** Callers that share a read. The read has the latest of their deadlines. */
  private static final class Round<T> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private Deadline deadline;

    Round(Deadline deadline) {
      this.deadline = deadline;
    }

    void extend(Deadline other) {
      if (other.remaining().compareTo(deadline.remaining()) > 0) {
        deadline = other;
      }
    }
  }

  SharedRead(Function<Deadline, CompletableFuture<T>> read) {
    this.read = read;
  }

  /** Returns the value as of a point in time after the call began. */
  CompletableFuture<T> get(Deadline deadline) {
    Round<T> mine;
    synchronized (this) {
      if (running) {
        Round<T> waiting = next;
        if (waiting == null) {
          waiting = new Round<>(deadline);
          next = waiting;
        } else {
          waiting.extend(deadline);
        }
        return waiting.result;
      }
      running = true;
      mine = new Round<>(deadline);
    }
    run(mine);
    return mine.result;
  }

  private void run(Round<T> round) {
    CompletableFuture<T> reading = Steps.begin(() -> read.apply(round.deadline));
    CompletableFuture<T> unused =
        reading.whenComplete(
            (value, failure) -> {
              Round<T> after = end();
              if (after != null) {
                run(after);
              }
              Steps.pass(reading, round.result);
            });
  }

  /** Ends the running read, and returns the one that begins now; null if nobody wants one. */
  private synchronized @Nullable Round<T> end() {
    Round<T> after = next;
    next = null;
    running = after != null;
    return after;
  }
}
