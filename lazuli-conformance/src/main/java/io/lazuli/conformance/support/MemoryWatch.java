package io.lazuli.conformance.support;

import io.lazuli.conformance.ServerProcess;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Samples the memory of a server many times a second and remembers the maximum. */
public final class MemoryWatch implements AutoCloseable {

  private static final int PERIOD_MILLIS = 50;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong peak = new AtomicLong();

  public MemoryWatch(ServerProcess server) {
    ScheduledFuture<?> unused =
        thread.scheduleAtFixedRate(
            () -> peak.accumulateAndGet(server.residentBytes().orElse(0), Math::max),
            0,
            PERIOD_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  public long peakMib() {
    return peak.get() >> 20;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
