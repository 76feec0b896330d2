package io.lazuli.client.pattern.sequence;

import io.lazuli.client.table.Table;
import io.lazuli.client.waiting.Waiting;
import java.util.function.LongFunction;

/**
 * Numbers the entities of a partition without gaps. Each call waits for its result. {@link
 * AsyncGaplessSequence} describes each method in more detail. Immutable and thread-safe. Do not
 * call it on a Reactor thread.
 *
 * @param <T> the type of the entities
 */
public final class GaplessSequence<T> {
  private final AsyncGaplessSequence<T> async;

  GaplessSequence(AsyncGaplessSequence<T> async) {
    this.async = async;
  }

  /** Returns the sequence with a name for the entities of a partition; it starts at 1. */
  public static <T> GaplessSequence<T> of(Table<T> table, String partitionKey, String name) {
    return AsyncGaplessSequence.of(table.async(), partitionKey, name).blocking();
  }

  /** Returns this sequence with asynchronous calls. */
  public AsyncGaplessSequence<T> async() {
    return async;
  }

  /**
   * Inserts an entity with the next number, and returns it as it was stored.
   *
   * @param entity returns the entity with a number; it may be called several times
   * @throws io.lazuli.client.table.AlreadyExists if the key of the entity is taken
   */
  public T insert(LongFunction<? extends T> entity) {
    return Waiting.result(async.insert(entity));
  }
}
