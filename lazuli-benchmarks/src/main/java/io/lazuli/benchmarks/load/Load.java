package io.lazuli.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Keeps one connection per script busy from one thread and counts the responses. It shares the
 * machine with the server that it measures, so it uses little CPU: one selector, requests rendered
 * in advance, and responses of which only the necessary parts are parsed. A run ends when its time
 * is over and every response has arrived, or when all scripts have ended.
 */
public final class Load {
  private static final long SILENCE_MILLIS_MAX = 60_000;
  private static final long LATENCY_MICROS_MAX = TimeUnit.MINUTES.toMicros(10);

  private final BooleanSupplier more;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(256 << 10);
  private final Histogram latency = new Histogram(LATENCY_MICROS_MAX, 3);
  private int active;
  private long requests;
  private long errors;
  private String firstError = "";

  private Load(BooleanSupplier more) {
    this.more = more;
  }

  /**
   * Runs the scripts.
   *
   * @param serverCpuNanos returns the CPU time that the server has used so far
   * @param more is called before each request; once it returns false, no more requests are sent,
   *     and the run waits for the pending responses
   */
  public static LoadResult run(
      InetSocketAddress server,
      List<? extends Script> scripts,
      LongSupplier serverCpuNanos,
      BooleanSupplier more)
      throws IOException {
    try (Selector selector = Selector.open()) {
      try {
        for (Script script : scripts) {
          Connection.open(server, selector, script);
        }
        return new Load(more).run(selector, serverCpuNanos);
      } finally {
        for (SelectionKey key : selector.keys()) {
          key.channel().close();
        }
      }
    }
  }

  /** Runs the scripts for the given time. */
  public static LoadResult run(
      InetSocketAddress server,
      List<? extends Script> scripts,
      LongSupplier serverCpuNanos,
      long nanos)
      throws IOException {
    long start = System.nanoTime();
    return run(server, scripts, serverCpuNanos, () -> System.nanoTime() - start < nanos);
  }

  private LoadResult run(Selector selector, LongSupplier serverCpuNanos) throws IOException {
    long start = System.nanoTime();
    long serverBefore = serverCpuNanos.getAsLong();
    long driverBefore = ownCpuNanos();
    for (SelectionKey key : selector.keys()) {
      sendNext(key);
    }
    while (active > 0) {
      if (selector.select(this::handle, SILENCE_MILLIS_MAX) == 0) {
        throw new IOException("no response for " + SILENCE_MILLIS_MAX + " ms");
      }
    }
    return new LoadResult(
        requests,
        errors,
        firstError,
        System.nanoTime() - start,
        serverCpuNanos.getAsLong() - serverBefore,
        ownCpuNanos() - driverBefore,
        latency);
  }

  private void sendNext(SelectionKey key) throws IOException {
    if (more.getAsBoolean() && connection(key).sendNext(key)) {
      active++;
    }
  }

  private void handle(SelectionKey key) {
    try {
      if (key.isWritable()) {
        connection(key).write(key);
      }
      if (key.isReadable() && connection(key).read(buffer)) {
        count(connection(key));
        sendNext(key);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void count(Connection connection) {
    active--;
    requests++;
    long micros = (System.nanoTime() - connection.sentNanos()) / 1_000;
    latency.recordValue(Math.min(micros, LATENCY_MICROS_MAX));
    if (!connection.accept()) {
      errors++;
      if (firstError.isEmpty()) {
        firstError = connection.describeAnswer();
      }
    }
  }

  private static Connection connection(SelectionKey key) {
    return (Connection) key.attachment();
  }

  private static long ownCpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
