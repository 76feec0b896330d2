package io.lazuli.server.cli;

import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process of the command line when it cannot end in order: it has run out of memory, or
 * stopping takes too long. A supervisor can then start it again. Acknowledged writes are in the log
 * of the store, so nothing is lost. A server inside another application never has a last resort.
 *
 * <p>Three threads that are started at the beginning do this, because no thread can be started once
 * the heap is full. {@code last-resort} ends the process. It never allocates: with a full heap, an
 * allocation waits for many collections of garbage. {@code last-words} writes the message before
 * that; if nobody reads the standard error, the process ends without the message.
 *
 * <p>Libraries may swallow an {@link OutOfMemoryError}. Therefore {@code memory-check} allocates a
 * small array every second, and {@code last-resort} checks whether one collection of garbage after
 * another frees nothing. The JVM may throw no error for a long time then.
 */
final class LastResort {
  /** The exit code after the process ran out of memory. The JVM itself uses the same code. */
  static final int OUT_OF_MEMORY = 3;

  /** The exit code after the process did not stop in time. */
  static final int NOT_STOPPED = 4;

  private static final Duration CHECK_PERIOD = Duration.ofSeconds(1);
  private static final Duration WORDS_TIME_MAX = Duration.ofSeconds(1);
  private static final int PROBE_BYTES = 256 << 10;

  private static volatile @Nullable LastResort armed;

  private final Thread ending = Threads.daemon(this::watch, "last-resort");
  private final Thread writing = Threads.daemon(this::write, "last-words");
  private final Thread checking = Threads.daemon(this::probe, "memory-check");
  private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
  private final FullHeap fullHeap = new FullHeap();
  private final OutOfMemoryError nothingFreed =
      new OutOfMemoryError("the garbage collector frees nothing");
  private final byte[] outOfMemory =
      line(
          "lazuli: out of memory; the process ends with exit code "
              + OUT_OF_MEMORY
              + "; LAZULI_JAVA_OPTS=-Xmx1g, or java -Xmx1g, gives it more");
  private final byte[] notStopped =
      line(
          "lazuli: the server did not stop in time; the process ends with exit code "
              + NOT_STOPPED
              + "; acknowledged writes are safe");

  private volatile @Nullable OutOfMemoryError error;
  private volatile boolean stopping;
  private volatile long stopByNanos;
  private volatile byte @Nullable [] words;
  private volatile boolean written;

  @SuppressWarnings("unused") // keeps the compiler from removing the allocation
  private volatile byte @Nullable [] probed;

  private LastResort() {}

  /** Starts the threads. From now on the process ends when it runs out of memory. */
  static void arm() {
    LastResort made = new LastResort();
    made.writing.start();
    made.checking.start();
    made.ending.start();
    armed = made;
    Runnable unused = OutOfMemory.onError(made::end);
    Thread.setDefaultUncaughtExceptionHandler(LastResort::uncaught);
  }

  /** Ends the process after this time, unless it has ended before. */
  static void endWithin(Duration time) {
    LastResort current = armed;
    if (current != null) {
      current.stopByNanos = System.nanoTime() + time.toNanos();
      current.stopping = true;
      LockSupport.unpark(current.ending);
    }
  }

  /**
   * Waits for the end of the process if the time of {@link #endWithin} is over. The exit code then
   * tells so, although the thread that stops the server has given up too.
   */
  static void awaitEndIfLate() {
    LastResort current = armed;
    while (current != null && current.stopping && current.stopByNanos - System.nanoTime() <= 0) {
      LockSupport.park();
    }
  }

  private static void uncaught(Thread thread, Throwable failure) {
    OutOfMemory.check(failure);
    System.err.println("Exception in thread " + thread.getName());
    failure.printStackTrace();
  }

  /** Ends the process. The calling thread waits for that: it could do only harm. */
  private void end(OutOfMemoryError cause) {
    error = cause;
    LockSupport.unpark(ending);
    while (true) {
      LockSupport.park();
    }
  }

  private void watch() {
    while (true) {
      long left = stopping ? stopByNanos - System.nanoTime() : Long.MAX_VALUE;
      if (error == null && fullHeap.isFound()) {
        error = nothingFreed;
      }
      if (error != null) {
        halt(outOfMemory, OUT_OF_MEMORY);
      } else if (left <= 0) {
        halt(notStopped, NOT_STOPPED);
      }
      LockSupport.parkNanos(Math.min(left, CHECK_PERIOD.toNanos()));
    }
  }

  private void halt(byte[] message, int code) {
    words = message;
    LockSupport.unpark(writing);
    long by = System.nanoTime() + WORDS_TIME_MAX.toNanos();
    while (!written && System.nanoTime() - by < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    Runtime.getRuntime().halt(code);
  }

  private void write() {
    byte[] message = words;
    while (message == null) {
      LockSupport.park();
      message = words;
    }
    try {
      err.write(message);
      OutOfMemoryError cause = error;
      if (cause != null) {
        // This may need more memory than there is.
        err.write(line("lazuli: " + cause));
      }
    } catch (IOException | RuntimeException | Error e) {
      // The process ends in any case.
      probed = null;
    }
    written = true;
  }

  private void probe() {
    while (true) {
      try {
        probed = new byte[PROBE_BYTES];
        probed = null;
      } catch (OutOfMemoryError e) {
        end(e);
      }
      LockSupport.parkNanos(CHECK_PERIOD.toNanos());
    }
  }

  private static byte[] line(String text) {
    return (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Finds out whether collecting garbage frees nothing any more. While collections follow each
   * other without a pause, a thread makes little progress, so this calls as few methods as
   * possible, and allocates nothing.
   */
  private static final class FullHeap {
    private static final double USED_SHARE_MAX = 0.97;
    private static final int CHECKS_MAX = 3;

    private final GarbageCollectorMXBean[] collectors;
    private final @Nullable MemoryPoolMXBean old = oldGeneration();
    private long lastCollections;
    private int fullChecks;

    FullHeap() {
      collectors =
          ManagementFactory.getGarbageCollectorMXBeans().toArray(new GarbageCollectorMXBean[0]);
      if (old != null) {
        old.setCollectionUsageThreshold((long) (old.getUsage().getMax() * USED_SHARE_MAX));
      }
    }

    /** Returns the largest part of the heap that reports its size after collections. */
    private static @Nullable MemoryPoolMXBean oldGeneration() {
      MemoryPoolMXBean largest = null;
      long max = 0;
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        if (pool.getType() == MemoryType.HEAP
            && pool.isCollectionUsageThresholdSupported()
            && pool.getUsage().getMax() > max) {
          max = pool.getUsage().getMax();
          largest = pool;
        }
      }
      return largest;
    }

    /**
     * Returns true if several checks in a row found that there were further collections, and that
     * the old generation was still full after the last one.
     */
    boolean isFound() {
      if (old == null || !old.isCollectionUsageThresholdExceeded()) {
        fullChecks = 0;
        return false;
      }
      long collections = 0;
      for (int i = 0; i < collectors.length; i++) {
        collections += collectors[i].getCollectionCount();
      }
      fullChecks = collections == lastCollections ? 0 : fullChecks + 1;
      lastCollections = collections;
      return fullChecks >= CHECKS_MAX;
    }
  }
}
