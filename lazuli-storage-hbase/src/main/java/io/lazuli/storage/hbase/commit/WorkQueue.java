package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.engine.LaneQueue.Admission;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Admits operations. The number of operations that wait and the bytes of all operations are
 * bounded, and so is the number of those that run at the same time. An operation waits until it is
 * started, even after it was taken, because it may have to wait in the queue of its partition.
 * Mutable and thread-safe.
 *
 * @param <T> an operation
 */
final class WorkQueue<T> {
  private final int operationsMax;
  private final long bytesMax;
  private final int runningMax;
  private final ToLongFunction<T> bytesOf;

  @GuardedBy("this")
  private final Queue<T> queue = new ArrayDeque<>();

  @GuardedBy("this")
  private int operations;

  @GuardedBy("this")
  private int running;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private boolean closed;

  WorkQueue(int operationsMax, long bytesMax, int runningMax, ToLongFunction<T> bytesOf) {
    this.operationsMax = operationsMax;
    this.bytesMax = bytesMax;
    this.runningMax = runningMax;
    this.bytesOf = bytesOf;
  }

  synchronized Admission offer(T operation) {
    if (closed) {
      return Admission.CLOSED;
    }
    long weight = bytesOf.applyAsLong(operation);
    if (operations >= operationsMax || bytes + weight > bytesMax) {
      return Admission.FULL;
    }
    operations++;
    bytes += weight;
    queue.add(operation);
    return Admission.TAKEN;
  }

  /** Takes an operation to run it; null if none waits or enough run. */
  synchronized @Nullable T take() {
    if (queue.isEmpty() || running >= runningMax) {
      return null;
    }
    running++;
    return queue.poll();
  }

  /** Records that an operation which was taken starts now. */
  synchronized void started() {
    operations--;
  }

  /** Records the end of an operation, whether it ran or not. */
  synchronized void ended(T operation) {
    bytes -= bytesOf.applyAsLong(operation);
  }

  /** Records that an operation which has started waits once more. No bound refuses it. */
  synchronized void park() {
    operations++;
  }

  /** Lets an operation that was parked be taken again. */
  synchronized void resume(T operation) {
    queue.add(operation);
  }

  /** Makes room for another operation to run. */
  synchronized void free() {
    running--;
    notifyAll();
  }

  /** Refuses all later offers. Queued operations can still be taken. */
  synchronized void close() {
    closed = true;
  }

  /** Waits until no operation waits or runs. */
  synchronized void awaitIdle() {
    boolean interrupted = false;
    while (operations > 0 || running > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how many operations are waiting. */
  synchronized int size() {
    return operations;
  }
}
