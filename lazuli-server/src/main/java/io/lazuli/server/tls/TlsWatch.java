package io.lazuli.server.tls;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the files of an identity once a period, on a thread of its own, and hands over the new
 * one when they have changed. Files that cannot be used change nothing: the last good ones count.
 * The log says so once, and only if they are still the same at the next look, because certificate
 * and key are not replaced in one instant.
 */
public final class TlsWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TlsWatch.class);

  /** Reads an identity from where it is kept. */
  @FunctionalInterface
  public interface Source {
    TlsIdentity read() throws TlsException;
  }

  private final Supplier<Object> stamp;
  private final Source source;
  private final Consumer<TlsIdentity> changed;
  private final Duration period;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "tls");
  private Object inForce;
  private @Nullable Object refused;
  private boolean complained;

  private TlsWatch(
      Object inForce,
      Supplier<Object> stamp,
      Source source,
      Consumer<TlsIdentity> changed,
      Duration period) {
    this.inForce = inForce;
    this.stamp = stamp;
    this.source = source;
    this.changed = changed;
    this.period = period;
  }

  /**
   * Begins to watch.
   *
   * @param inForce the stamp of the files before the identity that is used now was read from them
   * @param stamp changes when the files do
   */
  public static TlsWatch start(
      Object inForce,
      Supplier<Object> stamp,
      Source source,
      Consumer<TlsIdentity> changed,
      Duration period) {
    TlsWatch watch = new TlsWatch(inForce, stamp, source, changed, period);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try {
      while (!closed.await(period.toMillis(), TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    Object now = stamp.get();
    if (now.equals(inForce)) {
      return;
    }
    try {
      changed.accept(source.read());
      inForce = now;
      refused = null;
      LOG.info("the TLS certificate was replaced");
    } catch (TlsException e) {
      refuse(now, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // The root of the thread: whatever it was, the next look comes.
      refuse(now, e.toString());
    }
  }

  private void refuse(Object now, String why) {
    if (!now.equals(refused)) {
      refused = now;
      complained = false;
    } else if (!complained) {
      complained = true;
      LOG.warn("{}; the TLS certificate stays as it was", why);
    }
  }

  /** Lets a look that has begun finish, for a bounded time. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
