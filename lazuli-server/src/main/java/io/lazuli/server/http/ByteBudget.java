package io.lazuli.server.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Bounds the total bytes of one kind in memory, such as those of all request bodies. */
public final class ByteBudget {
  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();
  private final LongAdder refused = new LongAdder();

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
    refused.increment();
    return false;
  }

  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  /** Returns the maximum number of bytes. */
  public long bytesMax() {
    return bytesMax;
  }

  /** Returns how often bytes were refused since the start. */
  public long refused() {
    return refused.sum();
  }

  /** Returns the number of bytes that are reserved now. */
  public long heldBytes() {
    return held.get();
  }
}
