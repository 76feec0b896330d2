package io.lazuli.server.catalog;

import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a log line about damaged data, at most one in a second: clients repeat requests that fail.
 * Thread-safe.
 */
final class DamageLog {
  static final Duration PERIOD = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(DamageLog.class);

  private final LongSupplier nanos;
  private final AtomicLong nextNanos;
  private final AtomicLong omitted = new AtomicLong();

  DamageLog(LongSupplier nanos) {
    this.nanos = nanos;
    this.nextNanos = new AtomicLong(nanos.getAsLong());
  }

  /** Logs damage; returns false if the line was omitted. */
  boolean found(StorageException damage) {
    long due = nextNanos.get();
    long now = nanos.getAsLong();
    if (now - due < 0 || !nextNanos.compareAndSet(due, now + PERIOD.toNanos())) {
      omitted.incrementAndGet();
      return false;
    }
    LOG.error(
        "stored data is damaged, {} such lines were omitted: {}",
        omitted.getAndSet(0),
        damage.getMessage());
    return true;
  }
}
