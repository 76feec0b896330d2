package io.lazuli.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the bytes of all request bodies that are held at a time. */
public final class BodyBudget {
  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  public BodyBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** False, and nothing is taken, if that would be too much. */
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

  /** What is held now. */
  public long heldBytes() {
    return held.get();
  }
}
