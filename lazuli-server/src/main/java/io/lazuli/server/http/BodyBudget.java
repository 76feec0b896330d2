package io.lazuli.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the total bytes of all request bodies in memory. */
public final class BodyBudget {
  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  public BodyBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Reserves bytes. Returns false, and reserves nothing, if that would exceed the bound. */
  boolean tryTake(long bytes) {
    if (held.addAndGet(bytes) <= bytesMax) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  /** Returns the number of bytes that are reserved now. */
  public long heldBytes() {
    return held.get();
  }
}
