package io.lazuli.client.pattern.sequence;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.ConditionNotMet;
import io.lazuli.client.table.EntityGroup;
import io.lazuli.client.table.OutcomeUnknown;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Numbers the entities of a partition without gaps: one transaction stores the entity and counts
 * its number. Immutable and thread-safe.
 *
 * <p>The entity {@code ~sequence_invoice} of the partition has the next number. The inserted entity
 * has one property more, {@code NumberedBy}, by which a call recognises its own insert if the
 * response was lost.
 *
 * @param <T> the type of the entities
 */
public final class AsyncGaplessSequence<T> {
  private static final String PREFIX = "~sequence_";
  private static final String NEXT = "Next";
  private static final String NUMBERED_BY = "NumberedBy";

  /** An attempt whose outcome is not known is safe to repeat: it looks for its entity first. */
  private static final Retry IF_UNKNOWN =
      Retry.max(AsyncTable.UPDATE_ATTEMPTS)
          .filter(OutcomeUnknown.class::isInstance)
          .onRetryExhaustedThrow((spec, signal) -> signal.failure());

  private final AsyncTable<T> table;
  private final String partitionKey;
  private final String row;

  private AsyncGaplessSequence(AsyncTable<T> table, String partitionKey, String name) {
    this.table = table;
    this.partitionKey = partitionKey;
    this.row = PREFIX + name;
  }

  /** Returns the sequence with a name for the entities of a partition; it starts at 1. */
  public static <T> AsyncGaplessSequence<T> of(
      AsyncTable<T> table, String partitionKey, String name) {
    return new AsyncGaplessSequence<>(table, partitionKey, name);
  }

  /** Returns this sequence with blocking calls. */
  public GaplessSequence<T> blocking() {
    return new GaplessSequence<>(this);
  }

  /**
   * Inserts an entity with the next number: two requests for each attempt, and one more for each
   * attempt after the first. The number is used if and only if the entity is stored.
   *
   * @param entity returns the entity with a number, with a key of the partition; it may be called
   *     several times with different numbers
   * @return the entity as it was stored; the error {@link AlreadyExists} if its key is taken; the
   *     error {@link ConditionNotMet} if other processes were faster at all of {@value
   *     AsyncTable#UPDATE_ATTEMPTS} attempts
   */
  public Mono<T> insert(LongFunction<? extends T> entity) {
    return Mono.defer(
        () -> {
          String id = UUID.randomUUID().toString();
          AtomicReference<@Nullable Numbered<T>> last = new AtomicReference<>(null);
          return EntityGroup.transact(
                  table,
                  partitionKey,
                  group ->
                      stored(group, last.get(), id)
                          .switchIfEmpty(Mono.defer(() -> attempt(group, entity, id, last))))
              .retryWhen(IF_UNKNOWN);
        });
  }

  /** A value and the row key under which an attempt tried to store it. */
  private record Numbered<T>(T value, String rowKey) {}

  /** Returns the value of the previous attempt if that attempt stored it after all. */
  private Mono<T> stored(EntityGroup group, @Nullable Numbered<T> previous, String id) {
    if (previous == null) {
      return Mono.empty();
    }
    return group
        .find(previous.rowKey())
        .filter(found -> id.equals(found.getProperty(NUMBERED_BY)))
        .map(found -> previous.value());
  }

  private Mono<T> attempt(
      EntityGroup group,
      LongFunction<? extends T> entity,
      String id,
      AtomicReference<@Nullable Numbered<T>> last) {
    return group
        .read(row)
        .flatMap(
            counter -> {
              long number =
                  counter
                      .map(found -> (Long) Objects.requireNonNull(found.getProperty(NEXT), NEXT))
                      .orElse(1L);
              T value = entity.apply(number);
              return table
                  .codec()
                  .encode(value, TableTransactionActionType.CREATE)
                  .map(encoded -> register(group, number, encoded, id))
                  .doOnNext(rowKey -> last.set(new Numbered<>(value, rowKey)))
                  .thenReturn(value);
            });
  }

  /** Registers both writes and returns the row key of the entity. */
  private String register(EntityGroup group, long number, TableEntity encoded, String id) {
    if (!encoded.getPartitionKey().equals(partitionKey)) {
      throw new IllegalArgumentException(
          "the sequence numbers entities of the partition "
              + partitionKey
              + ", not of "
              + encoded.getPartitionKey());
    }
    group.put(new TableEntity(partitionKey, row).addProperty(NEXT, Math.addExact(number, 1)));
    group.insert(group.copy(encoded, encoded.getRowKey()).addProperty(NUMBERED_BY, id));
    return encoded.getRowKey();
  }
}
