package io.lazuli.client.pattern.lock;

import com.azure.storage.blob.specialized.BlobLeaseAsyncClient;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.client.pattern.lock.AsyncBlobLock.LeaseTimes;
import io.lazuli.client.waiting.Waiting;
import java.time.Duration;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A lock that this process has acquired. It renews its lease in the background until it is closed
 * or lost. Mutable, thread-safe.
 *
 * <p>The lock counts as lost when the service refuses a renewal, and when no renewal succeeded for
 * the duration of the lease, counted from the time before the last successful request was sent. A
 * lost lock is never held again.
 */
public final class HeldLock implements AutoCloseable {
  private final String name;
  private final long token;
  private final BlobLeaseAsyncClient lease;
  private final LeaseTimes times;
  private final Sinks.Empty<Void> lost = Sinks.empty();
  private final Disposable.Swap renewal = Disposables.swap();

  @GuardedBy("this")
  private long heldUntil;

  @GuardedBy("this")
  private State state = State.HELD;

  private enum State {
    HELD,
    LOST,
    RELEASED
  }

  private HeldLock(
      String name, long token, BlobLeaseAsyncClient lease, LeaseTimes times, long sent) {
    this.name = name;
    this.token = token;
    this.lease = lease;
    this.times = times;
    this.heldUntil = sent + times.lease().toNanos();
  }

  /**
   * Returns a lock that renews its lease.
   *
   * @param sent the time before the lease was acquired
   */
  static HeldLock start(
      String name, long token, BlobLeaseAsyncClient lease, LeaseTimes times, long sent) {
    HeldLock lock = new HeldLock(name, token, lease, times, sent);
    lock.renewal.update(
        Mono.defer(() -> Mono.delay(lock.untilRenewal()))
            .then(Mono.defer(lock::renewed))
            .repeat(lock::isHeld)
            .subscribe());
    return lock;
  }

  /** Returns the name of the lock. */
  public String name() {
    return name;
  }

  /**
   * Returns the fencing token: greater than the tokens of all earlier holders of this lock. {@link
   * AsyncFence} checks it in writes to a table. Other stores can check it themselves: they must
   * refuse a token that is smaller than the greatest one that they have seen.
   */
  public long token() {
    return token;
  }

  /**
   * Returns whether the lock is held as far as this process knows. A process that is paused after
   * the call may lose the lock before it acts, so a write must be fenced all the same.
   */
  public synchronized boolean isHeld() {
    if (state == State.HELD && times.nanoTime().getAsLong() - heldUntil >= 0) {
      lose();
    }
    return state == State.HELD;
  }

  /**
   * Checks that the lock is held as far as this process knows; see {@link #isHeld}.
   *
   * @throws LockLost if it is not
   */
  public void requireHeld() {
    if (!isHeld()) {
      throw new LockLost(name, token, null);
    }
  }

  /**
   * Completes when the lock is lost, so that work can be stopped: {@code
   * work.takeUntilOther(lock.lost())}. Never completes if the lock is released first.
   */
  public Mono<Void> lost() {
    return lost.asMono();
  }

  private synchronized void lose() {
    if (state == State.HELD) {
      state = State.LOST;
      lost.tryEmitEmpty();
    }
  }

  private synchronized Duration untilRenewal() {
    long left = Math.max(0, heldUntil - times.nanoTime().getAsLong());
    return Duration.ofNanos(Math.min(left, times.renewEvery().toNanos()));
  }

  /**
   * Makes one attempt to renew the lease. After a failure that says nothing about the lease, the
   * next attempt follows, until the lease is over.
   */
  private Mono<Void> renewed() {
    if (!isHeld()) {
      return Mono.empty();
    }
    long sent = times.nanoTime().getAsLong();
    return lease
        .renewLease()
        .timeout(times.renewEvery())
        .doOnNext(id -> extend(sent))
        .doOnError(AsyncBlobLock::isAboutLease, refused -> lose())
        .onErrorResume(failure -> Mono.empty())
        .then();
  }

  private synchronized void extend(long sent) {
    if (isHeld()) {
      heldUntil = sent + times.lease().toNanos();
    }
  }

  /**
   * Ends the renewal and the lease: one request. If the request fails, the service ends the lease
   * by itself, so that is not reported.
   */
  public Mono<Void> release() {
    return Mono.defer(
        () -> {
          if (!end()) {
            return Mono.empty();
          }
          renewal.dispose();
          return lease.releaseLease().timeout(times.lease()).onErrorResume(failure -> Mono.empty());
        });
  }

  private synchronized boolean end() {
    boolean isFirst = state != State.RELEASED;
    state = State.RELEASED;
    return isFirst;
  }

  /** Releases the lock and waits until that is done, for the duration of a lease at most. */
  @Override
  public void close() {
    Waiting.done(release());
  }
}
