package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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
 * <p>If an answer of the service is lost and the SDK sends the transaction again, the repeated
 * request meets its own writes. A transaction that replaces an entity that it has read recognises
 * them by the mark that it leaves in the first such entity ({@link WriteMark}), or fails with
 * {@link OutcomeUnknown}. A transaction that only inserts and deletes fails as if another client
 * had been first.
 */
public final class EntityGroup {
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;

  private final AsyncTable<TableEntity> table;
  private final String partitionKey;
  private final WriteMark mark;
  private final Map<String, Optional<TableEntity>> seen = new LinkedHashMap<>();
  private final Map<String, Write<TableEntity>> writes = new LinkedHashMap<>();

  private EntityGroup(AsyncTable<TableEntity> table, String partitionKey, WriteMark mark) {
    this.table = table;
    this.partitionKey = partitionKey;
    this.mark = mark;
  }

  /**
   * Runs a transaction. Each attempt sends one request for each entity that is read, and one for
   * all writes. If another client changed an entity in between, the transaction starts over: up to
   * {@value AsyncTable#UPDATE_ATTEMPTS} attempts with growing random pauses.
   *
   * @param body reads entities and registers writes; it may be called several times. If it fails,
   *     nothing is written
   * @return the result of the body, once everything is written; if nothing was written, the {@link
   *     TableFailure} of the entity whose write was rejected; {@link OutcomeUnknown} if an answer
   *     was lost and the stored entities do not reveal the outcome
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
    return WriteMark.using(
            partitionKey,
            mark ->
                Mono.defer(() -> new EntityGroup(stored, partitionKey, mark).attempt(body))
                    .retryWhen(again))
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
    keepMarks(sent);
    if (before == null) {
      writes.put(rowKey, Write.upsertReplace(sent));
    } else if (before.isPresent()) {
      writes.put(rowKey, Write.replace(sent, Condition.eTag(before.get().getETag())));
    } else {
      writes.put(rowKey, Write.insert(sent));
    }
  }

  /** Keeps the marks of other changes, which may still have to recognise their writes. */
  private synchronized void keepMarks(TableEntity next) {
    seen.getOrDefault(next.getRowKey(), Optional.empty())
        .map(before -> before.getProperty(WriteMark.PROPERTY))
        .ifPresent(marks -> next.addProperty(WriteMark.PROPERTY, marks));
  }

  /**
   * Writes the entity of a value in place of the entity that was read, and keeps the stored
   * properties that the codec does not know. Returns the value once the write is registered.
   */
  public <V> Mono<V> update(EntityCodec<V> codec, V value) {
    TableEntity before = before(codec.key(value).rowKey());
    return codec.encodeOver(before, value).doOnNext(this::put).thenReturn(value);
  }

  private synchronized TableEntity before(String rowKey) {
    return seen.getOrDefault(rowKey, Optional.empty())
        .orElseThrow(() -> new IllegalStateException(key(rowKey) + " was not read"));
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
    List<Write<TableEntity>> all = Stream.concat(guards, others).toList();
    return sent(all)
        .onErrorMap(BatchFailed.class, this::failure)
        .onErrorMap(ConditionNotMet.class, Stale::new)
        .then();
  }

  /** Sends the writes, with the mark of this transaction in the first entity that it replaces. */
  private Mono<Boolean> sent(List<Write<TableEntity>> all) {
    Mono<Boolean> batch = table.batch(new Batch<>(all)).thenReturn(true);
    return all.stream()
        .flatMap(write -> write.value().stream())
        .filter(next -> seen.containsKey(next.getRowKey()))
        .findFirst()
        .map(next -> marked(next, batch))
        .orElse(batch);
  }

  private Mono<Boolean> marked(TableEntity next, Mono<Boolean> batch) {
    EntityKey key = key(next.getRowKey());
    MarkedWrite write = mark.over(key, seen.getOrDefault(next.getRowKey(), Optional.empty()));
    write.mark(next);
    return write.send(batch, table.find(key), true);
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
