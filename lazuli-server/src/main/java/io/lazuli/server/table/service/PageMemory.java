package io.lazuli.server.table.service;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of the pages that queries on a remote engine hold. While the bound is reached,
 * every page ends after its first entity, and its token leads the client on. Thread-safe.
 */
final class PageMemory {
  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  PageMemory(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  boolean isFull() {
    return held.get() >= bytesMax;
  }

  void take(long bytes) {
    held.addAndGet(bytes);
  }

  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  long heldBytes() {
    return held.get();
  }
}
