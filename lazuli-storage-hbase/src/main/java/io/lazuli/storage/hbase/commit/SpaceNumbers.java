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
 * Gives numbers to spaces. Each server reserves numbers in blocks; the rest of a block is lost when
 * the server ends. Threads that need a number while a block is being reserved wait for that
 * reservation and fail with it, so that no thread waits for several reservations in a row.
 * Thread-safe.
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

  /**
   * The reservation that is under way; null if there is none. Completes with the reason if it
   * fails.
   */
  @GuardedBy("this")
  private @Nullable CompletableFuture<Optional<String>> coming;

  public SpaceNumbers(Attempts attempts) {
    this(() -> reserveBlock(attempts));
  }

  /**
   * @param reserve reserves a block for this server and returns the end of the block; blocks
   */
  SpaceNumbers(LongSupplier reserve) {
    this.reserve = reserve;
  }

  /**
   * Returns the next number. About one call in 256 reserves a block, and other calls wait for it.
   */
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

  /** Reserves a block on behalf of all threads that wait for the future. */
  private void lead(CompletableFuture<Optional<String>> mine) {
    Optional<String> failure = Optional.of(NOT_RESERVED);
    try {
      take(reserve.getAsLong());
      failure = Optional.empty();
    } catch (StorageException e) {
      // The block may be reserved or not. Either way, none of its numbers was given to a space.
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
          // The first number is 1, because the catalogue has counter 0.
          long end = Math.max(1, OwnRows.decode(view.condition(OwnRows.NUMBERS))) + BLOCK;
          view.putOwn(OwnRows.NUMBERS, OwnRows.encode(end));
          return end;
        },
        () -> {});
  }
}
