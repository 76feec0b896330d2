package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.thread.OutOfMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
class ServerCall<T> {
  /** When a call ends without an answer. */
  enum Patience {
    /** A read ends at its deadline. The server stays occupied until the library gives up. */
    UNTIL_DEADLINE,
    /** A page ends at its deadline, and so does its scan. It may take many remote calls. */
    PAGE,
    /** As a page; it may keep the region server busy for long and send little. */
    SEARCH,
    /**
     * A write waits for the library, even beyond its deadline: an answer that comes a little later
     * settles the outcome.
     */
    UNTIL_ANSWER;

    boolean isScan() {
      return this == PAGE || this == SEARCH;
    }
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
  private final long madeNanos;
  private volatile @Nullable CompletableFuture<T> answer;
  private volatile long sentNanos;
  private volatile boolean needsCheck;
  private volatile long answerBytes;
  private volatile CallLimit.Outcome outcome = CallLimit.Outcome.FAILED;

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
    this.madeNanos = server.nanoTime();
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

  /** Sends calls with one remote call. Returns those that failed immediately. */
  static List<ServerCall<?>> send(List<ServerCall<?>> batch) {
    List<ServerCall<?>> ready = new ArrayList<>(batch.size());
    List<ServerCall<?>> failed = new ArrayList<>();
    for (ServerCall<?> call : batch) {
      (call.begin() ? ready : failed).add(call);
    }
    if (!ready.isEmpty()) {
      try {
        ready.get(0).sendWith(ready);
      } catch (Throwable e) {
        OutOfMemory.check(e);
        ready.forEach(call -> call.fail(e));
        failed.addAll(ready);
      }
    }
    return failed;
  }

  private boolean begin() {
    if (isLate()) {
      fail(CallLane.unavailable("region server " + server.name() + " does not answer"));
      return false;
    }
    sentNanos = server.nanoTime();
    needsCheck = server.needsCheck(sentNanos);
    return true;
  }

  /**
   * Sends this call and those that join it.
   *
   * @param batch begins with this call
   */
  void sendWith(List<ServerCall<?>> batch) {
    follow(call.get());
  }

  /** Waits for the answer without blocking. */
  private void follow(CompletableFuture<T> sent) {
    follow(sent, threads);
  }

  /**
   * Waits for the answer without blocking.
   *
   * @param executor runs what follows the answer on a worker
   */
  final void follow(CompletableFuture<T> sent, Executor executor) {
    answer = sent;
    CompletableFuture<T> unused =
        sent.whenComplete((value, failure) -> executor.execute(() -> end(value, failure)));
  }

  private void end(T value, @Nullable Throwable failure) {
    answerBytes = failure == null ? bytes(value) : 0;
    outcome = failure == null ? answered() : CallFailure.outcome(failure);
    server.ended(ageNanos(), failure != null, outcome);
    lane.release(this);
    if (failure == null) {
      result.complete(value);
    } else {
      fail(CallFailure.of(failure));
    }
  }

  /** A page may take long although the region server has little to do. */
  private CallLimit.Outcome answered() {
    return !patience.isScan() && ageNanos() > CallLimit.SLOW.toNanos()
        ? CallLimit.Outcome.SLOW
        : CallLimit.Outcome.ANSWERED;
  }

  /** Returns what became of the call. */
  final CallLimit.Outcome outcome() {
    return outcome;
  }

  final long sentNanos() {
    return sentNanos;
  }

  final long nowNanos() {
    return server.nanoTime();
  }

  /** Returns the number of rows of a call that shares a remote call with others. */
  int rows() {
    return 1;
  }

  /** Returns true if this call can share a remote call with another. */
  boolean joins(ServerCall<?> first) {
    return false;
  }

  /** Returns the size of an answer; 0 if it does not matter. */
  long bytes(T value) {
    return 0;
  }

  /** Returns the size of the answer; 0 if there was none. */
  final long answerBytes() {
    return answerBytes;
  }

  /** Returns the time since the call was made. */
  final long waitNanos() {
    return server.nanoTime() - madeNanos;
  }

  /** Returns the time since the call was sent. */
  final long ageNanos() {
    return server.nanoTime() - sentNanos;
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
    return !patience.isScan() && server.nanoTime() - sentNanos > WAIT_MAX.toNanos();
  }

  /** Fails the call for its caller. The scan of a page ends. */
  void giveUp() {
    fail(CallFailure.of(new TimeoutException("no answer in time")));
    CompletableFuture<T> sent = answer;
    if (patience.isScan() && sent != null) {
      sent.cancel(false);
    }
  }
}
