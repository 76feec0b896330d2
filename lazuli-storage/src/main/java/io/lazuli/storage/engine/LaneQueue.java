package io.lazuli.storage.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The queue before a commit lane: many threads offer, one thread drains. Bounded in operations and
 * in bytes; what does not fit is refused at once. After {@link #close} nothing more is taken, and
 * what was taken before is still drained. Mutable; safe for any number of offering threads.
 *
 * <p>The count of operations is raised before an operation is linked and lowered after it was taken
 * out, and closing sets the sign bit of that count. So a drain that sees a closed count of zero
 * knows that no offer is under way: nothing that was taken is ever left behind.
 *
 * @param <T> an operation
 */
public final class LaneQueue<T> {
  /** What became of an offer. */
  public enum Admission {
    /** It will be drained. */
    TAKEN,
    /** One of the bounds is reached. */
    FULL,
    /** The queue is closed. */
    CLOSED
  }

  private static final long CLOSED_BIT = Long.MIN_VALUE;

  private final int operationsMax;
  private final long bytesMax;
  private final ToLongFunction<? super T> bytesOf;
  private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /** The draining thread while it is parked or about to park. */
  private volatile @Nullable Thread waiting;

  /**
   * An empty queue.
   *
   * @param bytesOf the weight of an operation: not negative, the same as long as it is queued
   */
  public LaneQueue(int operationsMax, long bytesMax, ToLongFunction<? super T> bytesOf) {
    this.operationsMax = operationsMax;
    this.bytesMax = bytesMax;
    this.bytesOf = bytesOf;
  }

  /** Offers an operation; never blocks. */
  public Admission offer(T operation) {
    Admission admission = reserve(bytesOf.applyAsLong(operation));
    if (admission == Admission.TAKEN) {
      queue.add(operation);
      wake();
    }
    return admission;
  }

  /**
   * Takes out what is queued, in order, up to the bounds but at least one operation; waits while
   * there is none. To be called by one thread only.
   *
   * @return empty only when the queue is closed and nothing is left
   */
  public List<T> drain(int drainOperationsMax, long drainBytesMax) {
    List<T> drained = new ArrayList<>();
    if (!awaitOperation()) {
      return drained;
    }
    long drainedBytes = 0;
    while (drained.size() < drainOperationsMax && drainedBytes < drainBytesMax) {
      T operation = queue.poll();
      if (operation == null) {
        break;
      }
      long weight = bytesOf.applyAsLong(operation);
      drained.add(operation);
      drainedBytes += weight;
      bytes.addAndGet(-weight);
      operations.decrementAndGet();
    }
    return drained;
  }

  /** Refuses every later offer; what is queued is still drained. */
  public void close() {
    operations.updateAndGet(count -> count | CLOSED_BIT);
    wake();
  }

  /** Operations that wait now. */
  public int size() {
    return (int) (operations.get() & ~CLOSED_BIT);
  }

  private Admission reserve(long weight) {
    long count;
    do {
      count = operations.get();
      if (count < 0) {
        return Admission.CLOSED;
      }
      if (count >= operationsMax) {
        return Admission.FULL;
      }
    } while (!operations.compareAndSet(count, count + 1));
    if (bytes.addAndGet(weight) > bytesMax) {
      bytes.addAndGet(-weight);
      operations.decrementAndGet();
      wake();
      return Admission.FULL;
    }
    return Admission.TAKEN;
  }

  /** Waits until an operation can be polled; false once the queue is closed and empty. */
  private boolean awaitOperation() {
    while (queue.isEmpty()) {
      if (operations.get() == CLOSED_BIT) {
        return false;
      }
      waiting = Thread.currentThread();
      if (queue.isEmpty() && operations.get() != CLOSED_BIT) {
        LockSupport.park(this);
      }
      waiting = null;
      // An interrupt would make every later park return at once: the lane ends by close() only.
      Thread.interrupted();
    }
    return true;
  }

  private void wake() {
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
