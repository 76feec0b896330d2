package io.lazuli.client.pattern.wide;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.waiting.Waiting;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A table of entities that may be too wide for one entity. Each call waits for its result. {@link
 * AsyncWideTable} describes each method in more detail. Immutable and thread-safe.
 *
 * @param <T> the type of the entities
 */
public final class WideTable<T> {
  private final AsyncWideTable<T> async;

  WideTable(AsyncWideTable<T> async) {
    this.async = async;
  }

  /** Returns the wide entities in the table of a client. */
  public static <T> WideTable<T> of(TableAsyncClient client, EntityCodec<T> codec) {
    return AsyncWideTable.of(client, codec).blocking();
  }

  /** Returns this table with asynchronous calls. */
  public AsyncWideTable<T> async() {
    return async;
  }

  /**
   * Returns the entity with a key.
   *
   * @throws TornRead if the parts that were read had different versions in every attempt
   */
  public Optional<T> find(EntityKey key) {
    return Waiting.optional(async.find(key));
  }

  /**
   * Inserts an entity.
   *
   * @throws AlreadyExists if an entity with its key exists
   * @throws IllegalArgumentException if it has more than 100 parts or 4 MiB
   */
  public void insert(T value) {
    Waiting.done(async.insert(value));
  }

  /**
   * Inserts an entity or replaces the existing one, with all its parts.
   *
   * @throws IllegalArgumentException if it has more than 100 parts or 4 MiB
   */
  public void upsertReplace(T value) {
    Waiting.done(async.upsertReplace(value));
  }

  /**
   * Reads an entity, changes it and replaces it; returns the value as it was written.
   *
   * @throws NotFound if there is no such entity
   */
  public T update(EntityKey key, UnaryOperator<T> change) {
    return Waiting.result(async.update(key, change));
  }

  /**
   * Changes properties, by their names in the table, and keeps the others.
   *
   * @throws NotFound if there is no such entity
   * @throws IllegalArgumentException if the entity does not have all these properties
   */
  public void merge(EntityKey key, Map<String, Object> changes) {
    Waiting.done(async.merge(key, changes));
  }

  /** Deletes an entity with all its parts; returns whether it existed. */
  public boolean deleteIfExists(EntityKey key) {
    return Waiting.result(async.deleteIfExists(key));
  }
}
