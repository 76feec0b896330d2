package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives numbers to spaces. Each server reserves them in blocks; what is left of a block when it
 * ends is never used. Whoever comes while a block is being reserved waits for that one, and fails
 * with it: nobody waits behind others who wait. Safe for any number of threads.
 */
public final class SpaceNumbers {
  static final int BLOCK = 256;
  private static final String NOT_RESERVED = "no number could be reserved";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final LongSupplier reserve;

  @GuardedBy("this")
  private long next;

  @GuardedBy("this")
  private long reservedEnd;

  /** Ends with the reason if no block could be reserved; null if none is being reserved. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<Optional<String>> coming;

  public SpaceNumbers(Attempts attempts) {
    this(() -> reserveBlock(attempts));
  }

  /**
   * @param reserve gives the end of a block that nobody else has; blocks
   */
  SpaceNumbers(LongSupplier reserve) {
    this.reserve = reserve;
  }

  /** The next number; one call in some hundreds asks the cluster, and others wait for it. */
  public long next(SpaceKind kind) {
    while (true) {
      CompletableFuture<Optional<String>> mine = new CompletableFuture<>();
      CompletableFuture<Optional<String>> others;
      synchronized (this) {
        if (next < reservedEnd) {
          return Space.number(kind, next++);
        }
        others = coming;
        if (others == null) {
          coming = mine;
        }
      }
      if (others == null) {
        lead(mine);
      }
      Optional<String> failure = (others == null ? mine : others).join();
      if (failure.isPresent()) {
        throw new StorageException(StorageException.Kind.UNAVAILABLE, failure.get());
      }
    }
  }

  /** Reserves for all who wait for the future. */
  private void lead(CompletableFuture<Optional<String>> mine) {
    Optional<String> failure = Optional.of(NOT_RESERVED);
    try {
      take(reserve.getAsLong());
      failure = Optional.empty();
    } catch (StorageException e) {
      // Whether the block is reserved or not: none of its numbers was given.
      failure = Optional.of(NOT_RESERVED + ": " + e.getMessage());
    } finally {
      end();
      mine.complete(failure);
    }
  }

  private synchronized void take(long end) {
    reservedEnd = end;
    next = end - BLOCK;
  }

  private synchronized void end() {
    coming = null;
  }

  private static long reserveBlock(Attempts attempts) {
    return attempts.run(
        OwnRows.STORE,
        List.of(),
        Deadline.after(TIMEOUT),
        view -> {
          // The first is 1: the catalogue itself has counter 0.
          long end = Math.max(1, OwnRows.decode(view.condition(OwnRows.NUMBERS))) + BLOCK;
          view.putOwn(OwnRows.NUMBERS, OwnRows.encode(end));
          return end;
        },
        () -> {});
  }
}
