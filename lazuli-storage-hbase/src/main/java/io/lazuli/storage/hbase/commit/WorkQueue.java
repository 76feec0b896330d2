package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.engine.LaneQueue.Admission;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue of operations for several threads, bounded in operations and in bytes. An operation
 * counts until it is released, even after it was taken, because it may have to wait in the queue of
 * its partition. Mutable and thread-safe.
 *
 * @param <T> an operation
 */
final class WorkQueue<T> {
  private final int operationsMax;
  private final long bytesMax;
  private final ToLongFunction<T> bytesOf;

  @GuardedBy("this")
  private final Queue<T> queue = new ArrayDeque<>();

  @GuardedBy("this")
  private int operations;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private boolean closed;

  WorkQueue(int operationsMax, long bytesMax, ToLongFunction<T> bytesOf) {
    this.operationsMax = operationsMax;
    this.bytesMax = bytesMax;
    this.bytesOf = bytesOf;
  }

  /** Offers an operation. Never blocks. */
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
    notify();
    return Admission.TAKEN;
  }

  /** Waits for an operation. Returns null once the queue is closed and empty. */
  synchronized @Nullable T take() {
    while (queue.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException ignored) {
        // Only close() ends the threads of an engine.
      }
    }
    return queue.poll();
  }

  /** Stops counting an operation that was taken, because it starts now. */
  synchronized void release(T operation) {
    operations--;
    bytes -= bytesOf.applyAsLong(operation);
  }

  /** Refuses all later offers. Queued operations can still be taken. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Returns how many operations are waiting. */
  synchronized int size() {
    return operations;
  }
}
