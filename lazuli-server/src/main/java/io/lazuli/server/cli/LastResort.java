package io.lazuli.server.cli;

import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process of the command line when it cannot end in order: it has run out of memory, or
 * stopping takes too long. A supervisor can then start it again. Acknowledged writes are in the log
 * of the store, so nothing is lost. A server inside another application never has a last resort.
 *
 * <p>Two threads that are started at the beginning do this, and they allocate nothing when it
 * matters: the heap may be full, and then no thread can be started. {@code last-words} writes the
 * message, and {@code last-resort} ends the process soon after, even if nobody reads the standard
 * error and the write blocks.
 *
 * <p>Libraries may swallow an {@link OutOfMemoryError}. Therefore {@code last-resort} also checks
 * the memory by itself, every second: whether a small array can be allocated, and whether the
 * garbage collector takes nearly all of the time.
 */
final class LastResort {
  /** The exit code after the process ran out of memory. The JVM itself uses the same code. */
  static final int OUT_OF_MEMORY = 3;

  /** The exit code after the process did not stop in time. */
  static final int NOT_STOPPED = 4;

  private static final Duration CHECK_PERIOD = Duration.ofSeconds(1);
  private static final Duration WORDS_TIME_MAX = Duration.ofSeconds(1);
  private static final int PROBE_BYTES = 256 << 10;

  /**
   * The process ends if it collects garbage for this share of the time, so many checks in a row.
   */
  private static final double COLLECTING_SHARE_MAX = 0.95;

  private static final int COLLECTING_CHECKS_MAX = 15;

  private static volatile @Nullable LastResort armed;

  private final Thread ending = Threads.daemon(this::watch, "last-resort");
  private final Thread writing = Threads.daemon(this::write, "last-words");
  private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
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
  private volatile byte @Nullable [] probe;

  private LastResort() {}

  /** Starts the threads. From now on the process ends when it runs out of memory. */
  static void arm() {
    LastResort made = new LastResort();
    made.writing.start();
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

  private static void uncaught(Thread thread, Throwable failure) {
    OutOfMemory.check(failure);
    System.err.println("Exception in thread " + thread.getName());
    failure.printStackTrace();
  }

  /** Ends the process. The calling thread waits for that: it could do only harm. */
  private void end(OutOfMemoryError cause) {
    error = cause;
    LockSupport.unpark(ending);
    if (Thread.currentThread() != ending) {
      while (true) {
        LockSupport.park();
      }
    }
  }

  private void watch() {
    CollectionTime collecting = null;
    while (true) {
      if (error != null) {
        halt(outOfMemory, OUT_OF_MEMORY);
      }
      long left = stopping ? stopByNanos - System.nanoTime() : Long.MAX_VALUE;
      if (left <= 0) {
        halt(notStopped, NOT_STOPPED);
      }
      LockSupport.parkNanos(Math.min(left, CHECK_PERIOD.toNanos()));
      if (error == null) {
        collecting = check(collecting);
      }
    }
  }

  /** Checks the memory. No failure of the check itself ends the thread. */
  private @Nullable CollectionTime check(@Nullable CollectionTime before) {
    CollectionTime collecting = before;
    try {
      probe = new byte[PROBE_BYTES];
      probe = null;
      collecting = before == null ? new CollectionTime() : before;
      if (collecting.isTooMuch()) {
        error = new OutOfMemoryError("the garbage collector takes nearly all of the time");
      }
    } catch (Throwable e) {
      error = e instanceof OutOfMemoryError full ? full : error;
    }
    return collecting;
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
      probe = null;
    }
    written = true;
  }

  private static byte[] line(String text) {
    return (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
  }

  /** Measures how much of the time the garbage collector takes. */
  private static final class CollectionTime {
    private final List<GarbageCollectorMXBean> collectors =
        ManagementFactory.getGarbageCollectorMXBeans();
    private long lastNanos = System.nanoTime();
    private long lastMillis = millis();
    private int busyChecks;

    boolean isTooMuch() {
      long nanos = System.nanoTime();
      long millis = millis();
      long elapsed = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos - lastNanos));
      boolean busy = millis - lastMillis > COLLECTING_SHARE_MAX * elapsed;
      busyChecks = busy ? busyChecks + 1 : 0;
      lastNanos = nanos;
      lastMillis = millis;
      return busyChecks >= COLLECTING_CHECKS_MAX;
    }

    private long millis() {
      long sum = 0;
      for (GarbageCollectorMXBean collector : collectors) {
        sum += collector.getCollectionTime();
      }
      return sum;
    }
  }
}
