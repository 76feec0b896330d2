package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A transaction on one partition: it reads entities and then writes them all or not at all. It
 * commits only if none of the written entities has changed since it was read. If one has, the
 * transaction starts over.
 *
 * <p>Entities that are only read are not protected against changes. If the outcome depends on such
 * an entity, write it back unchanged. An entity may be written without having been read if its
 * state follows from an entity that was read; if such a write is rejected, the transaction fails
 * and does not start over.
 *
 * <p>Entities are read and written as they are stored. A caller that has a codec, which may
 * encrypt, applies it itself.
 *
 * <p>A group serves one attempt of one transaction; several threads may call its methods.
 *
 * <p>If a response of the service is lost and the SDK sends the transaction again, the repeated
 * request meets its own writes: the transaction starts over, or it fails as if another client had
 * been first.
 */
public final class EntityGroup {
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;

  private final AsyncTable<TableEntity> table;
  private final String partitionKey;
  private final Map<String, Optional<TableEntity>> seen = new LinkedHashMap<>();
  private final Map<String, Write<TableEntity>> writes = new LinkedHashMap<>();

  private EntityGroup(AsyncTable<TableEntity> table, String partitionKey) {
    this.table = table;
    this.partitionKey = partitionKey;
  }

  /**
   * Runs a transaction. Each attempt sends one request for each entity that is read, and one for
   * all writes. If another client changed an entity in between, the transaction starts over: up to
   * {@value AsyncTable#UPDATE_ATTEMPTS} attempts with growing random pauses.
   *
   * @param body reads entities and registers writes; it may be called several times. If it fails,
   *     nothing is written
   * @return the result of the body, once everything is written; if nothing was written, the {@link
   *     TableFailure} of the entity whose write was rejected
   */
  public static <R> Mono<R> transact(
      AsyncTable<?> table, String partitionKey, Function<EntityGroup, Mono<R>> body) {
    AsyncTable<TableEntity> stored = table.stored();
    Retry again =
        Retry.backoff(AsyncTable.UPDATE_ATTEMPTS - 1L, BACKOFF_MIN)
            .maxBackoff(BACKOFF_MAX)
            .jitter(JITTER)
            .filter(Stale.class::isInstance)
            .onRetryExhaustedThrow((spec, signal) -> signal.failure());
    return Mono.defer(() -> new EntityGroup(stored, partitionKey).attempt(body))
        .retryWhen(again)
        .onErrorMap(Stale.class, Stale::refusal);
  }

  private <R> Mono<R> attempt(Function<EntityGroup, Mono<R>> body) {
    return body.apply(this)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(result -> commit().then(Mono.justOrEmpty(result)));
  }

  /** Returns the key of an entity of this partition. */
  public EntityKey key(String rowKey) {
    return new EntityKey(partitionKey, rowKey);
  }

  /**
   * Returns the entity as it is stored. If this group also writes it, the write requires that the
   * entity has not changed since.
   */
  public Mono<Optional<TableEntity>> read(String rowKey) {
    return table
        .find(key(rowKey))
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .doOnNext(found -> remember(rowKey, found));
  }

  /** Like {@link #read}; returns nothing if the entity does not exist. */
  public Mono<TableEntity> find(String rowKey) {
    return read(rowKey).flatMap(Mono::justOrEmpty);
  }

  /** Like {@link #read}; fails with {@link NotFound} if the entity does not exist. */
  public Mono<TableEntity> existing(String rowKey) {
    return find(rowKey).switchIfEmpty(Mono.error(() -> new NotFound(key(rowKey), null)));
  }

  /**
   * Returns an entity that must exist because another entity that was read refers to it. If it does
   * not exist, that other entity is out of date and the transaction starts over; the last attempt
   * fails with {@link NotFound}.
   */
  public Mono<TableEntity> require(String rowKey) {
    return find(rowKey).switchIfEmpty(Mono.error(() -> new Stale(new NotFound(key(rowKey), null))));
  }

  private synchronized void remember(String rowKey, Optional<TableEntity> found) {
    seen.put(rowKey, found);
  }

  /**
   * Writes an entity with these properties and no others. It replaces the entity that was read; if
   * none was read, it replaces whatever is stored.
   */
  public synchronized void put(TableEntity entity) {
    String rowKey = entity.getRowKey();
    TableEntity sent = copy(entity, rowKey);
    Optional<TableEntity> before = seen.get(rowKey);
    if (before == null) {
      writes.put(rowKey, Write.upsertReplace(sent));
    } else if (before.isPresent()) {
      writes.put(rowKey, Write.replace(sent, Condition.eTag(before.get().getETag())));
    } else {
      writes.put(rowKey, Write.insert(sent));
    }
  }

  /**
   * Writes an entity that must not exist; the transaction fails with {@link AlreadyExists} if it
   * does.
   */
  public synchronized void insert(TableEntity entity) {
    String rowKey = entity.getRowKey();
    seen.remove(rowKey);
    writes.put(rowKey, Write.insert(copy(entity, rowKey)));
  }

  /** Deletes an entity that must exist. If it was read, it must not have changed since. */
  public synchronized void delete(String rowKey) {
    Condition condition =
        seen.getOrDefault(rowKey, Optional.empty())
            .map(stored -> Condition.eTag(stored.getETag()))
            .orElseGet(Condition::any);
    writes.put(rowKey, Write.delete(key(rowKey), condition));
  }

  /**
   * Copies the properties of an entity to a row key of this partition, except those that the
   * service sets.
   */
  public TableEntity copy(TableEntity entity, String rowKey) {
    TableEntity copy = new TableEntity(partitionKey, rowKey);
    entity.getProperties().forEach((name, value) -> copyTo(copy, name, value));
    return copy;
  }

  private static void copyTo(TableEntity copy, String name, Object value) {
    boolean isServiceProperty = name.equals("Timestamp") || name.contains("odata.");
    if (!isServiceProperty && !copy.getProperties().containsKey(name)) {
      copy.addProperty(name, value);
    }
  }

  /**
   * Sends all writes in one transaction, first the writes of entities that were read. If one of
   * these is rejected, the service must report it, because an error of another write would be
   * misleading.
   */
  private synchronized Mono<Void> commit() {
    if (writes.isEmpty()) {
      return Mono.empty();
    }
    Stream<Write<TableEntity>> guards =
        writes.keySet().stream().filter(seen::containsKey).map(writes::get);
    Stream<Write<TableEntity>> others =
        writes.keySet().stream().filter(row -> !seen.containsKey(row)).map(writes::get);
    return table
        .batch(new Batch<>(Stream.concat(guards, others).toList()))
        .then()
        .onErrorMap(BatchFailed.class, this::failure);
  }

  private synchronized Throwable failure(BatchFailed failed) {
    if (!(failed.getCause() instanceof TableFailure refusal)) {
      return failed;
    }
    return seen.containsKey(refusal.key().rowKey()) ? new Stale(refusal) : refusal;
  }

  /** An entity has changed since it was read. */
  private static final class Stale extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient TableFailure refusal;

    Stale(TableFailure refusal) {
      super(refusal);
      this.refusal = refusal;
    }

    TableFailure refusal() {
      return refusal;
    }
  }
}
