package io.lazuli.storage;

import java.time.Duration;

/** The time after which nobody waits for the answer any more. */
public final class Deadline {
  /** No deadline. */
  public static final Deadline NEVER = new Deadline(Long.MAX_VALUE, true);

  private final long nanos;
  private final boolean never;

  private Deadline(long nanos, boolean never) {
    this.nanos = nanos;
    this.never = never;
  }

  /** Returns the deadline that is this duration from now. */
  public static Deadline after(Duration duration) {
    return new Deadline(System.nanoTime() + duration.toNanos(), false);
  }

  public boolean hasPassed() {
    return !never && System.nanoTime() - nanos >= 0;
  }

  /** Returns the time that is left; zero if the deadline has passed. */
  public Duration remaining() {
    return never
        ? Duration.ofNanos(Long.MAX_VALUE)
        : Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
  }

  /** Throws {@link StorageException.Kind#TIMEOUT} if the deadline has passed. */
  public void check() {
    if (hasPassed()) {
      throw new StorageException(StorageException.Kind.TIMEOUT, "the deadline has passed");
    }
  }
}
