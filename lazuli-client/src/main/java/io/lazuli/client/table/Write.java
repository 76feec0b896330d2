package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One write of a batch. Immutable.
 *
 * @param <T> the type of the entities
 */
public final class Write<T> {
  private final TableTransactionActionType action;
  private final @Nullable T value;
  private final @Nullable EntityKey deleted;
  private final @Nullable Condition condition;

  private Write(
      TableTransactionActionType action,
      @Nullable T value,
      @Nullable EntityKey deleted,
      @Nullable Condition condition) {
    this.action = action;
    this.value = value;
    this.deleted = deleted;
    this.condition = condition;
  }

  /** Returns a write that inserts an entity, which must not exist. */
  public static <T> Write<T> insert(T value) {
    return new Write<>(TableTransactionActionType.CREATE, value, null, null);
  }

  /** Returns a write that replaces an entity, which must have the ETag that the value carries. */
  public static <T> Write<T> replace(T value) {
    return new Write<>(TableTransactionActionType.UPDATE_REPLACE, value, null, null);
  }

  /** Returns a write that replaces an entity, which must exist and meet a condition. */
  public static <T> Write<T> replace(T value, Condition condition) {
    return new Write<>(TableTransactionActionType.UPDATE_REPLACE, value, null, condition);
  }

  /**
   * Returns a write that changes properties of an entity, which must have the ETag that the value
   * carries.
   */
  public static <T> Write<T> merge(T value) {
    return new Write<>(TableTransactionActionType.UPDATE_MERGE, value, null, null);
  }

  /**
   * Returns a write that changes properties of an entity and keeps the others. The entity must
   * exist and meet a condition.
   */
  public static <T> Write<T> merge(T value, Condition condition) {
    return new Write<>(TableTransactionActionType.UPDATE_MERGE, value, null, condition);
  }

  /** Returns a write that inserts an entity, or replaces the existing one. */
  public static <T> Write<T> upsertReplace(T value) {
    return new Write<>(TableTransactionActionType.UPSERT_REPLACE, value, null, null);
  }

  /**
   * Returns a write that inserts an entity, or changes properties of the existing one and keeps the
   * others.
   */
  public static <T> Write<T> upsertMerge(T value) {
    return new Write<>(TableTransactionActionType.UPSERT_MERGE, value, null, null);
  }

  /** Returns a write that deletes an entity, which must exist and meet a condition. */
  public static <T> Write<T> delete(EntityKey key, Condition condition) {
    return new Write<>(TableTransactionActionType.DELETE, null, key, condition);
  }

  /** Returns the entity as the caller gave it; empty for a delete. */
  public Optional<T> value() {
    return Optional.ofNullable(value);
  }

  /**
   * Returns the same write for a table of dynamic entities, so that one batch can write entities of
   * several types.
   */
  public Write<TableEntity> with(EntityCodec<T> codec) {
    TableEntity entity = value == null ? null : codec.write(value, action);
    return new Write<>(action, entity, deleted, condition);
  }

  TableTransactionActionType action() {
    return action;
  }

  @Nullable Condition condition() {
    return condition;
  }

  /** Returns the entity to send; for a delete it has only the keys. */
  Mono<TableEntity> entity(EntityCodec<T> codec) {
    if (value != null) {
      return codec.encode(value, action);
    }
    EntityKey key = java.util.Objects.requireNonNull(deleted);
    return Mono.just(new TableEntity(key.partitionKey(), key.rowKey()));
  }
}
