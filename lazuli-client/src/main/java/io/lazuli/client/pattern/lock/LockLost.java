package io.lazuli.client.pattern.lock;

import org.jspecify.annotations.Nullable;

/** The lock is not held any more; the fenced writes were not made. */
public final class LockLost extends RuntimeException {
  private static final long serialVersionUID = 1;

  LockLost(String name, long token, @Nullable Throwable cause) {
    super("the lock " + name + " with the token " + token + " is not held any more", cause);
  }
}
