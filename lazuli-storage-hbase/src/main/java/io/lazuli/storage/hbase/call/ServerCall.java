package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.thread.OutOfMemory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call to a region server. It may wait in the server's lane before it is sent. Its result
 * completes on a worker of the engine, never on a thread of HBase. Thread-safe.
 *
 * @param <T> the answer
 */
final class ServerCall<T> {
  /** When a call ends without an answer. */
  enum Patience {
    /** A read ends at its deadline. The server stays occupied until the library gives up. */
    UNTIL_DEADLINE,
    /** A page ends at its deadline, and so does its scan. It may take many remote calls. */
    PAGE,
    /**
     * A write waits for the library, even beyond its deadline: an answer that comes a little later
     * settles the outcome.
     */
    UNTIL_ANSWER
  }

  /** The longest wait for a call; longer than the library waits before it gives up. */
  static final Duration WAIT_MAX = Duration.ofSeconds(6);

  private final RegionServers.Server server;
  private final CallLane lane;
  private final EngineThreads threads;
  private final Deadline limit;
  private final Patience patience;
  private final Supplier<CompletableFuture<T>> call;
  private final BooleanSupplier moved;
  private final CompletableFuture<T> result = new CompletableFuture<>();
  private volatile @Nullable CompletableFuture<T> answer;
  private volatile long sentNanos;
  private volatile boolean needsCheck;

  /**
   * @param call sends the call
   * @param moved returns true if another server has the region now
   */
  ServerCall(
      RegionServers.Server server,
      CallLane lane,
      EngineThreads threads,
      Deadline limit,
      Patience patience,
      Supplier<CompletableFuture<T>> call,
      BooleanSupplier moved) {
    this.server = server;
    this.lane = lane;
    this.threads = threads;
    this.limit = limit;
    this.patience = patience;
    this.call = call;
    this.moved = moved;
  }

  /**
   * Returns the answer. Fails with a {@link CallFailure} if the call failed, or with a {@code
   * StorageException} if it was never sent.
   */
  CompletableFuture<T> result() {
    return result;
  }

  /** Returns true if the answer counts only after a check that the server has the region. */
  boolean needsCheck() {
    return needsCheck;
  }

  /** Records that the server had the region after the call was sent. */
  void confirm() {
    server.confirm(sentNanos);
  }

  /** Sends the call. Returns false if it failed immediately. */
  boolean send() {
    if (isLate()) {
      fail(CallLane.unavailable("region server " + server.name() + " does not answer"));
      return false;
    }
    sentNanos = server.nanoTime();
    needsCheck = server.needsCheck(sentNanos);
    CompletableFuture<T> sent;
    try {
      sent = call.get();
    } catch (Throwable e) {
      OutOfMemory.check(e);
      fail(e);
      return false;
    }
    answer = sent;
    CompletableFuture<T> unused =
        sent.whenComplete((value, failure) -> threads.execute(() -> end(value, failure)));
    return true;
  }

  private void end(T value, @Nullable Throwable failure) {
    lane.release(this);
    if (failure == null) {
      result.complete(value);
    } else {
      fail(CallFailure.of(failure));
    }
  }

  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  /** Returns true if the deadline has passed. */
  boolean isLate() {
    return limit.hasPassed();
  }

  boolean hasMoved() {
    return moved.getAsBoolean();
  }

  /** Returns true if nobody waits for the answer any more. */
  boolean endsNow() {
    return patience != Patience.UNTIL_ANSWER && isLate() && !result.isDone();
  }

  /** Returns true if the library should have given up long ago. */
  boolean isLost() {
    return patience != Patience.PAGE && server.nanoTime() - sentNanos > WAIT_MAX.toNanos();
  }

  /** Fails the call for its caller. The scan of a page ends. */
  void giveUp() {
    fail(CallFailure.of(new TimeoutException("no answer in time")));
    CompletableFuture<T> sent = answer;
    if (patience == Patience.PAGE && sent != null) {
      sent.cancel(false);
    }
  }
}
