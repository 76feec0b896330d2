package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.engine.LaneQueue.Admission;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Work that waits for one of several threads, bounded in operations and in bytes. What was taken
 * out counts until it is released, because it may have to wait again. Mutable; safe for any number
 * of threads.
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

  /** Offers an operation; never blocks. */
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

  /** Waits for an operation; null once the queue is closed and nothing is left. */
  synchronized @Nullable T take() {
    while (queue.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException ignored) {
        // The threads of an engine end by close() only.
      }
    }
    return queue.poll();
  }

  /** An operation that was taken begins: it waits no more. */
  synchronized void release(T operation) {
    operations--;
    bytes -= bytesOf.applyAsLong(operation);
  }

  /** Refuses every later offer; what is queued is still taken. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Operations that wait now. */
  synchronized int size() {
    return operations;
  }
}
