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
 * Entities of one partition that are read, and then written all or not at all, on the condition
 * that none of the written ones has changed since it was read. If one has, everything begins anew.
 *
 * <p>What is read and not written is not guarded: whoever decides by an entity that others may
 * change puts it back as it was. Entities can be written without having been read where their state
 * follows from that of one that was. Such a write is refused for good.
 *
 * <p>Entities are read and written as they are stored: whoever has a codec, which may encrypt,
 * applies it.
 *
 * <p>A group serves one attempt of one transaction; its methods may be called by several threads.
 *
 * <p>If an answer of the service is lost and the SDK sends the transaction again, that one meets
 * what it did itself: it begins anew, or fails as one that came second does.
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
   * Runs a transaction: one request for each entity that is read, and one for all writes, again for
   * each time that others came first, at most {@value AsyncTable#UPDATE_ATTEMPTS} times with
   * growing, random pauses.
   *
   * @param body reads and tells what to write; it may be called several times. Nothing is written
   *     if it fails
   * @return what the body returns, once everything is written; the {@link TableFailure} of the
   *     entity that was refused if nothing is
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

  /** The key of an entity of this partition. */
  public EntityKey key(String rowKey) {
    return new EntityKey(partitionKey, rowKey);
  }

  /** The entity as it is stored; a write of it in this group will be conditioned on that. */
  public Mono<Optional<TableEntity>> read(String rowKey) {
    return table
        .find(key(rowKey))
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .doOnNext(found -> remember(rowKey, found));
  }

  /** As {@link #read}; empty if there is none. */
  public Mono<TableEntity> find(String rowKey) {
    return read(rowKey).flatMap(Mono::justOrEmpty);
  }

  /** As {@link #read}; {@link NotFound} if there is none. */
  public Mono<TableEntity> existing(String rowKey) {
    return find(rowKey).switchIfEmpty(Mono.error(() -> new NotFound(key(rowKey), null)));
  }

  /**
   * The entity, which another one that was read leads to. If it is not there that one is out of
   * date, so the transaction begins anew; {@link NotFound} if that does not help.
   */
  public Mono<TableEntity> require(String rowKey) {
    return find(rowKey).switchIfEmpty(Mono.error(() -> new Stale(new NotFound(key(rowKey), null))));
  }

  private synchronized void remember(String rowKey, Optional<TableEntity> found) {
    seen.put(rowKey, found);
  }

  /**
   * Writes an entity, with these properties and no others: in place of what was read or, if it was
   * not read, of whatever is there.
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

  /** Writes an entity that must not be there; {@link AlreadyExists} if it is. */
  public synchronized void insert(TableEntity entity) {
    String rowKey = entity.getRowKey();
    seen.remove(rowKey);
    writes.put(rowKey, Write.insert(copy(entity, rowKey)));
  }

  /** Deletes an entity that must be there, as it was read if it was. */
  public synchronized void delete(String rowKey) {
    Condition condition =
        seen.getOrDefault(rowKey, Optional.empty())
            .map(stored -> Condition.eTag(stored.getETag()))
            .orElseGet(Condition::any);
    writes.put(rowKey, Write.delete(key(rowKey), condition));
  }

  /** The properties of an entity under a row key of this partition; not what the service sets. */
  public TableEntity copy(TableEntity entity, String rowKey) {
    TableEntity copy = new TableEntity(partitionKey, rowKey);
    entity.getProperties().forEach((name, value) -> copyTo(copy, name, value));
    return copy;
  }

  private static void copyTo(TableEntity copy, String name, Object value) {
    boolean ofTheService = name.equals("Timestamp") || name.contains("odata.");
    if (!ofTheService && !copy.getProperties().containsKey(name)) {
      copy.addProperty(name, value);
    }
  }

  /** Conditioned writes come first: if one is refused, the others do not mean anything. */
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

  /** What was read has changed since. */
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
