package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Steps;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives numbers to spaces. Each server reserves numbers in blocks; the rest of a block is lost when
 * the server ends. Callers that need a number while a block is being reserved wait for that
 * reservation and fail with it, so that nobody waits for several reservations in a row. Never
 * blocks. Thread-safe.
 */
public final class SpaceNumbers {
  static final int BLOCK = 256;
  private static final String NOT_RESERVED = "no number could be reserved";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Supplier<CompletableFuture<Long>> reserve;

  @GuardedBy("this")
  private long next;

  @GuardedBy("this")
  private long reservedEnd;

  /** The reservation that is under way; null if there is none. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<Boolean> coming;

  public SpaceNumbers(Attempts attempts) {
    this(() -> reserveBlock(attempts));
  }

  /**
   * @param reserve reserves a block for this server and returns the end of the block
   */
  SpaceNumbers(Supplier<CompletableFuture<Long>> reserve) {
    this.reserve = reserve;
  }

  /**
   * Returns the next number. About one call in 256 reserves a block, and other calls wait for it,
   * each until its own deadline.
   */
  public CompletableFuture<Long> next(SpaceKind kind, Deadline deadline) {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> others;
    synchronized (this) {
      OptionalLong number = take();
      if (number.isPresent()) {
        return CompletableFuture.completedFuture(Space.number(kind, number.getAsLong()));
      }
      others = coming;
      if (others == null) {
        coming = mine;
      }
    }
    if (others == null) {
      lead(mine);
    }
    return Steps.then(
        RegionCalls.within(others == null ? mine : others, deadline, NOT_RESERVED + " in time"),
        reserved -> next(kind, deadline));
  }

  @GuardedBy("this")
  private OptionalLong take() {
    return next < reservedEnd ? OptionalLong.of(next++) : OptionalLong.empty();
  }

  /** Reserves a block on behalf of all callers that wait for the future. */
  private void lead(CompletableFuture<Boolean> mine) {
    Steps.listen(
        Steps.begin(reserve),
        mine,
        end -> {
          end(end);
          mine.complete(true);
        },
        failure -> {
          end(0);
          // The block may be reserved or not. Either way, none of its numbers was given to a space.
          mine.completeExceptionally(
              new StorageException(
                  StorageException.Kind.UNAVAILABLE, NOT_RESERVED + ": " + failure.getMessage()));
        });
  }

  /**
   * @param reserved the end of the new block; 0 if none was reserved
   */
  private synchronized void end(long reserved) {
    coming = null;
    if (reserved > 0) {
      reservedEnd = reserved;
      next = reserved - BLOCK;
    }
  }

  private static CompletableFuture<Long> reserveBlock(Attempts attempts) {
    return attempts.run(
        OwnRows.STORE,
        Deadline.after(TIMEOUT),
        view -> {
          // The first number is 1, because the catalogue has counter 0.
          long end = Math.max(1, OwnRows.decode(view.condition(OwnRows.NUMBERS))) + BLOCK;
          view.putOwn(OwnRows.NUMBERS, OwnRows.encode(end));
          return end;
        });
  }
}
