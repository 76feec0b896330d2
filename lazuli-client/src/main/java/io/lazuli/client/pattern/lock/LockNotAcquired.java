package io.lazuli.client.pattern.lock;

import java.time.Duration;

/** Another process had the lock during the whole wait. */
public final class LockNotAcquired extends RuntimeException {
  private static final long serialVersionUID = 1;

  LockNotAcquired(String name, Duration waitMax, Throwable cause) {
    super("another process has the lock " + name + "; waited for " + waitMax, cause);
  }
}
