package io.lazuli.storage.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The queue in front of a commit lane: many threads offer operations, one thread drains them. It is
 * bounded in operations and in bytes, and refuses an operation that does not fit. After {@link
 * #close} it accepts no more operations, but those that it has accepted are still drained. Mutable;
 * any number of threads may offer.
 *
 * <p>An offer raises the count of operations before it adds the operation to the queue, and a drain
 * lowers the count after it has removed the operation. Closing sets the sign bit of the count. So a
 * drain that sees a closed count of zero knows that no offer is in progress, and no accepted
 * operation is ever lost.
 *
 * @param <T> an operation
 */
public final class LaneQueue<T> {
  /** The result of an offer. */
  public enum Admission {
    /** The operation will be drained. */
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
   * Makes an empty queue.
   *
   * @param bytesOf returns the weight of an operation, which is not negative and does not change
   *     while the operation is queued
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
   * Removes queued operations in order, at least one and up to the bounds. Waits while there are
   * none. Only one thread may call this.
   *
   * @return an empty list only if the queue is closed and nothing is left
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

  /** Refuses all later offers. Queued operations are still drained. */
  public void close() {
    operations.updateAndGet(count -> count | CLOSED_BIT);
    wake();
  }

  /** Returns the number of queued operations. */
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

  /** Waits until an operation can be polled; returns false once the queue is closed and empty. */
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
      // Clears the interrupt, which would make every later park return immediately. Only close()
      // ends the lane.
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
