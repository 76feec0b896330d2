package io.lazuli.client.pattern.sequence;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.ConditionNotMet;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Unique numbers for any number of processes. A process reserves a range of numbers with two
 * requests and then takes numbers from memory. Mutable, thread-safe. Create one sequence per
 * process and name; a second one works, but reserves ranges of its own.
 *
 * <p>One entity has the first number that is not reserved yet. A reservation is conditional on the
 * ETag that was read, and it stores an id of its own. If its response is lost and the SDK repeats
 * it, the repeated request is refused. The process then reads the entity: if the entity has the id
 * of the reservation, the range belongs to this process. If it has another id, the range is
 * abandoned and the process reserves another one. A range is used only if it is certain that this
 * process reserved it.
 */
public final class AsyncSequence {
  private static final String ROW = "sequence";
  private static final String NEXT = "Next";
  private static final String RESERVED_BY = "ReservedBy";
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;

  private final AsyncTable<TableEntity> table;
  private final EntityKey key;
  private final SequenceOptions options;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private Range range = Range.NONE;

  @GuardedBy("this")
  private @Nullable Mono<Range> reservation;

  /**
   * Numbers that belong to this process.
   *
   * @param next the next number
   * @param end the number after the last one
   * @param until the time until which they may be used
   */
  private record Range(long next, long end, long until) {
    static final Range NONE = new Range(0, 0, 0);

    boolean isUsable(long now) {
      return next < end && now - until < 0;
    }

    Range rest() {
      return new Range(next + 1, end, until);
    }
  }

  AsyncSequence(
      AsyncTable<TableEntity> table, String name, SequenceOptions options, LongSupplier nanoTime) {
    this.table = table;
    this.key = new EntityKey(name, ROW);
    this.options = options;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns the sequence with a name, which starts at 1.
   *
   * @param table an existing table; the sequence is an entity in it, with the name as partition key
   */
  public static AsyncSequence of(TableAsyncClient table, String name) {
    return new AsyncSequence(
        AsyncTable.of(table, EntityCodec.dynamic()),
        name,
        SequenceOptions.DEFAULT,
        System::nanoTime);
  }

  /** Returns the same sequence with other options and without a reserved range. */
  public AsyncSequence with(SequenceOptions others) {
    return new AsyncSequence(table, key.partitionKey(), others, nanoTime);
  }

  /** Returns this sequence with blocking calls. */
  public Sequence blocking() {
    return new Sequence(this);
  }

  /**
   * Returns a number that no other call has returned or will return, in any process. It is greater
   * than all numbers that this object returned before. No request if the range has numbers left,
   * otherwise two for each attempt to reserve one. Callers that arrive during a reservation wait
   * for it and fail if it fails.
   *
   * @return the error {@link ConditionNotMet} or {@link AlreadyExists} if other processes were
   *     faster at all of {@value AsyncTable#UPDATE_ATTEMPTS} attempts; the next call tries again
   */
  public Mono<Long> next() {
    return Mono.defer(
        () -> {
          synchronized (this) {
            if (range.isUsable(nanoTime.getAsLong())) {
              long number = range.next();
              range = range.rest();
              return Mono.just(number);
            }
            return reservation().then(next());
          }
        });
  }

  /** Returns the reservation that all waiting callers share. */
  @GuardedBy("this")
  private Mono<Range> reservation() {
    Mono<Range> shared = reservation;
    if (shared == null) {
      shared = reserved().doOnNext(this::use).doOnError(failure -> giveUp()).cache();
      reservation = shared;
    }
    return shared;
  }

  private synchronized void use(Range reserved) {
    range = reserved;
    reservation = null;
  }

  private synchronized void giveUp() {
    reservation = null;
  }

  private Mono<Range> reserved() {
    return Mono.defer(
        () -> {
          String id = UUID.randomUUID().toString();
          long started = nanoTime.getAsLong();
          return stored()
              .flatMap(found -> isBy(id, found) ? own(found) : write(id, found))
              .retryWhen(
                  Retry.backoff(AsyncTable.UPDATE_ATTEMPTS - 1L, BACKOFF_MIN)
                      .maxBackoff(BACKOFF_MAX)
                      .jitter(JITTER)
                      .filter(AsyncSequence::isOvertaken)
                      .onRetryExhaustedThrow((spec, signal) -> signal.failure()))
              .map(end -> range(end, started));
        });
  }

  private Mono<Optional<TableEntity>> stored() {
    return table.find(key).map(Optional::of).defaultIfEmpty(Optional.empty());
  }

  private static boolean isBy(String id, Optional<TableEntity> found) {
    return found.map(entity -> id.equals(entity.getProperty(RESERVED_BY))).orElse(false);
  }

  /** Returns the end of the range that an earlier attempt reserved although it seemed to fail. */
  private Mono<Long> own(Optional<TableEntity> found) {
    return Mono.fromSupplier(() -> next(found));
  }

  private long next(Optional<TableEntity> found) {
    return found
        .map(entity -> (Long) Objects.requireNonNull(entity.getProperty(NEXT), NEXT))
        .orElse(options.first());
  }

  private Mono<Long> write(String id, Optional<TableEntity> found) {
    long end = Math.addExact(next(found), options.rangeSize());
    TableEntity changed =
        new TableEntity(key.partitionKey(), key.rowKey())
            .addProperty(NEXT, end)
            .addProperty(RESERVED_BY, id);
    Mono<?> written =
        found.isPresent()
            ? table.merge(changed, Condition.eTag(found.get().getETag()))
            : table.insert(changed);
    return written.thenReturn(end);
  }

  /** Returns whether another process, or this reservation itself, changed the entity. */
  private static boolean isOvertaken(Throwable failure) {
    return failure instanceof ConditionNotMet || failure instanceof AlreadyExists;
  }

  private Range range(long end, long started) {
    long until = started + options.rangeMax().toNanos();
    return new Range(end - options.rangeSize(), end, until);
  }
}
