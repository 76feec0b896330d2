package io.lazuli.storage.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.List;

/**
 * Gives numbers to spaces. Each server reserves them in blocks; what is left of a block when it
 * ends is never used. Safe for any number of threads.
 */
final class SpaceNumbers {
  private static final int BLOCK = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Attempts attempts;

  @GuardedBy("this")
  private long next;

  @GuardedBy("this")
  private long reservedEnd;

  SpaceNumbers(Attempts attempts) {
    this.attempts = attempts;
  }

  /** The next number; one call in some hundreds asks the cluster, and others wait for it. */
  synchronized long next(SpaceKind kind) {
    if (next == reservedEnd) {
      long end = reserve();
      reservedEnd = end;
      next = end - BLOCK;
    }
    return Space.number(kind, next++);
  }

  private long reserve() {
    try {
      return reserveBlock();
    } catch (StorageException e) {
      // Whether the block is reserved or not: none of its numbers was given.
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "no number could be reserved: " + e.getMessage(), e);
    }
  }

  private long reserveBlock() {
    return attempts.run(
        OwnRows.STORE,
        List.of(),
        Deadline.after(PATIENCE),
        view -> {
          // The first is 1: the catalogue itself has counter 0.
          long end = Math.max(1, OwnRows.decode(view.condition(OwnRows.NUMBERS))) + BLOCK;
          view.putOwn(OwnRows.NUMBERS, OwnRows.encode(end));
          return end;
        },
        () -> {});
  }
}
