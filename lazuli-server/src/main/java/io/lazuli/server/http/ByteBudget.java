package io.lazuli.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the total bytes of one kind in memory, such as those of all request bodies. */
public final class ByteBudget {
  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  public ByteBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Reserves bytes. Returns false, and reserves nothing, if that would exceed the bound. */
  boolean tryTake(long bytes) {
    return tryTake(bytes, bytesMax);
  }

  /** Reserves bytes, for a purpose that has a lower bound. */
  boolean tryTake(long bytes, long max) {
    if (held.addAndGet(bytes) <= max) {
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
