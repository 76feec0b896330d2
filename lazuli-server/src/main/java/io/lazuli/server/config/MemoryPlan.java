package io.lazuli.server.config;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Divides the heap among everything that clients can fill. The sum of all parts and of what the
 * server itself needs leaves the headroom that docs/limits.md states.
 *
 * @param heapBytes the maximum size of the heap
 * @param descriptors the maximum number of open files and connections of the process
 */
public record MemoryPlan(long heapBytes, long descriptors) {
  /** The heap that a connection may take: its objects, and a head of ordinary size. */
  static final int CONNECTION_BYTES = 16 << 10;

  /** The heap of a server without clients: classes, caches of names, threads. */
  static final long OWN_BYTES = 40L << 20;

  /** The maximum weight of transactions that wait for the log. */
  private static final long QUEUED_BYTES_MAX = 256L << 20;

  /** Returns the plan for the heap of this process. */
  public static MemoryPlan ofThisProcess() {
    boolean unix =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean;
    return new MemoryPlan(
        Runtime.getRuntime().maxMemory(), unix ? descriptorsOfThisProcess() : Integer.MAX_VALUE);
  }

  private static long descriptorsOfThisProcess() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getMaxFileDescriptorCount();
  }

  /**
   * Returns the maximum number of connections of all services: as many as fit into an eighth of the
   * heap, and at most half of the descriptors, because the store needs files.
   */
  public int connectionsMax() {
    return (int) Math.min(heapBytes / 8 / CONNECTION_BYTES, descriptors / 2);
  }

  /** Returns the maximum memory of heads, beyond what each connection has of its own. */
  public long headBytesMax() {
    return heapBytes / 16;
  }

  /** Returns the maximum bytes of request bodies. */
  public long bodyBytesMax() {
    return Math.min(Limits.HELD_BODY_BYTES_MAX, heapBytes / 6);
  }

  /** Returns the maximum weight of transactions that wait for the log. */
  public long queuedBytesMax() {
    return Math.min(QUEUED_BYTES_MAX, heapBytes / 8);
  }

  /**
   * Returns the maximum bytes of answers. The minimum has room for the longest block list, even on
   * a small heap.
   */
  public long answerBytesMax() {
    return Math.max(32L << 20, heapBytes / 8);
  }

  /**
   * Returns the maximum bytes of the pages that queries on a remote engine hold. A local engine
   * bounds them by its threads.
   */
  public long pageBytesMax() {
    return heapBytes / 16;
  }

  /** Returns the maximum memory of log lines that wait to be stored. */
  public long logBytesMax() {
    return Math.min(Limits.LOG_QUEUE_BYTES_MAX, heapBytes / 16);
  }
}
