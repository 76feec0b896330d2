package io.lazuli.client.pattern.wide;

import static io.lazuli.client.query.Filter.rowKey;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.BatchFailed;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.MarkedWrite;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.TableFailure;
import io.lazuli.client.table.Write;
import io.lazuli.client.table.WriteMark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A table of entities that may be too wide for one entity: each is stored in parts, in one
 * partition. The package documentation describes how. Immutable and thread-safe.
 *
 * <p>Other entities may be in the same table and partition, as long as none has the row key of a
 * part. The ETag of a value is the ETag of its first part. It does not reveal merges into other
 * parts.
 *
 * @param <T> the type of the entities
 */
public final class AsyncWideTable<T> {
  /** The maximum number of attempts of a write while others write the same entity. */
  public static final int ATTEMPTS = AsyncTable.UPDATE_ATTEMPTS;

  /** The maximum number of reads of {@link #find} if the parts do not belong together. */
  public static final int READ_ATTEMPTS = 10;

  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;
  private static final int LAST_PART = 99;

  private final AsyncTable<TableEntity> table;
  private final EntityCodec<T> codec;

  private AsyncWideTable(AsyncTable<TableEntity> table, EntityCodec<T> codec) {
    codec.checkWritable();
    this.table = table;
    this.codec = codec;
  }

  /** Returns the wide entities in the table of a client. */
  public static <T> AsyncWideTable<T> of(TableAsyncClient client, EntityCodec<T> codec) {
    return new AsyncWideTable<>(AsyncTable.of(client, EntityCodec.dynamic()), codec);
  }

  /** Returns this table with blocking calls. */
  public WideTable<T> blocking() {
    return new WideTable<>(this);
  }

  /**
   * Returns the entity with a key; empty if there is none. One request, more if the entity exceeds
   * the size of one response.
   *
   * @return the entity; the error {@link TornRead} if its parts did not belong together in any
   *     attempt
   */
  public Mono<T> find(EntityKey key) {
    return parts(key)
        .filter(parts -> !parts.isEmpty())
        .flatMap(parts -> codec.decode(Parts.join(key, parts)));
  }

  /** Returns all parts of one version; none if there is no such entity. */
  private Mono<List<TableEntity>> parts(EntityKey key) {
    return rows(Query.partition(key.partitionKey()), key)
        .flatMap(
            parts ->
                parts.isEmpty() || Parts.isWhole(key, parts)
                    ? Mono.just(parts)
                    : Mono.error(new TornRead(key)))
        .retryWhen(again(READ_ATTEMPTS, TornRead.class::isInstance));
  }

  /**
   * Reads the first part first. Its ETag guards the whole: if any part is from an old version, the
   * first part is too, and a write based on it fails.
   */
  private Mono<List<TableEntity>> rows(Query partition, EntityKey key) {
    return table
        .query(
            partition
                .and(rowKey().ge(Parts.rowKey(key, 0)))
                .and(rowKey().le(Parts.rowKey(key, LAST_PART))))
        .filter(row -> Parts.isPart(key, row.getRowKey()))
        .collectList();
  }

  private static Retry again(int attempts, Predicate<Throwable> overtaken) {
    return Retry.backoff(attempts - 1L, BACKOFF_MIN)
        .maxBackoff(BACKOFF_MAX)
        .jitter(JITTER)
        .filter(overtaken)
        .onRetryExhaustedThrow((spec, signal) -> signal.failure());
  }

  /**
   * Inserts an entity: one request.
   *
   * @return completes when it is stored; fails with {@link AlreadyExists} if an entity with its key
   *     exists, or {@link IllegalArgumentException} if it has more than 100 parts or 4 MiB
   */
  public Mono<Void> insert(T value) {
    return split(value)
        .map(parts -> parts.stream().map(part -> Write.insert(part)).toList())
        .flatMap(this::batch);
  }

  private Mono<List<TableEntity>> split(T value) {
    return Mono.defer(() -> codec.encode(value, TableTransactionActionType.UPSERT_REPLACE))
        .map(Parts::split);
  }

  private Mono<Void> batch(List<Write<TableEntity>> writes) {
    return table
        .batch(new Batch<>(writes))
        .onErrorMap(
            BatchFailed.class,
            failed -> failed.getCause() instanceof TableFailure cause ? cause : failed)
        .then();
  }

  /**
   * Inserts an entity or replaces the existing one, with all its parts: two requests for each
   * attempt.
   *
   * @return completes when it is stored; fails with {@link IllegalArgumentException} if it has more
   *     than 100 parts or 4 MiB
   */
  public Mono<Void> upsertReplace(T value) {
    return split(value)
        .flatMap(
            next ->
                shape(codec.key(value))
                    .flatMap(old -> batch(replacing(old, next, false)))
                    .retryWhen(again(ATTEMPTS, AsyncWideTable::isOvertaken)));
  }

  /** Returns the keys and ETags of the existing parts. */
  private Mono<List<TableEntity>> shape(EntityKey key) {
    return rows(Query.partition(key.partitionKey()).select(Parts.COUNT), key);
  }

  /**
   * Returns the writes that replace parts and delete those that are no longer needed. The first
   * part must not have changed since it was read, so that nobody else has written the whole in
   * between. If {@code allUnchanged} is set, the same holds for every part, so that no merge is
   * lost either.
   */
  private static List<Write<TableEntity>> replacing(
      List<TableEntity> old, List<TableEntity> next, boolean allUnchanged) {
    Map<String, TableEntity> surplus = new LinkedHashMap<>();
    old.forEach(part -> surplus.put(part.getRowKey(), part));
    List<Write<TableEntity>> writes = new ArrayList<>();
    for (TableEntity part : next) {
      TableEntity before = surplus.remove(part.getRowKey());
      writes.add(
          before == null
              ? Write.insert(part)
              : Write.replace(part, unchanged(before, allUnchanged || writes.isEmpty())));
    }
    for (TableEntity part : surplus.values()) {
      Condition condition = unchanged(part, allUnchanged || writes.isEmpty());
      writes.add(Write.delete(EntityKey.of(part), condition));
    }
    return writes;
  }

  private static Condition unchanged(TableEntity part, boolean required) {
    return required ? Condition.eTag(part.getETag()) : Condition.any();
  }

  /**
   * Reads an entity, changes it and replaces it. Starts over if somebody else changed any part of
   * it in between: two requests for each attempt.
   *
   * @param change may be called several times; it must not change the key
   * @return the value as it was written; the error {@link NotFound} if there is no such entity, or
   *     {@link OutcomeUnknown} if an answer was lost and the entity does not reveal the outcome
   */
  public Mono<T> update(EntityKey key, UnaryOperator<T> change) {
    return WriteMark.using(
        key, mark -> ifPresent(key, parts(key).flatMap(old -> updated(key, old, change, mark))));
  }

  /**
   * Repeats an attempt while others write the entity. An empty result means that the entity does
   * not exist, and fails with {@link NotFound}.
   */
  private static <R> Mono<R> ifPresent(EntityKey key, Mono<R> attempt) {
    return attempt
        .retryWhen(again(ATTEMPTS, AsyncWideTable::isOvertaken))
        .switchIfEmpty(Mono.error(() -> new NotFound(key, null)));
  }

  /** Returns whether somebody wrote or deleted a part since it was read. */
  private static boolean isOvertaken(Throwable failure) {
    return failure instanceof TableFailure
        && !(failure instanceof BatchFailed)
        && !(failure instanceof OutcomeUnknown);
  }

  private Mono<T> updated(
      EntityKey key, List<TableEntity> old, UnaryOperator<T> change, WriteMark mark) {
    if (old.isEmpty()) {
      return Mono.empty();
    }
    TableEntity stored = Parts.join(key, old);
    return codec
        .decode(Parts.join(key, old))
        .map(change)
        .doOnNext(value -> key.checkKept(codec.key(value)))
        .flatMap(
            value ->
                codec
                    .encodeOver(stored, value)
                    .map(Parts::split)
                    .flatMap(next -> replaced(old, next, mark, value)));
  }

  /** Replaces all parts. Their version has the mark of the change. */
  private Mono<T> replaced(List<TableEntity> old, List<TableEntity> next, WriteMark mark, T value) {
    TableEntity first = old.get(0);
    MarkedWrite write = mark.over(Parts.marked(first));
    TableEntity marks = write.mark(new TableEntity(first.getPartitionKey(), first.getRowKey()));
    Parts.mark(next, marks.getProperty(WriteMark.PROPERTY));
    Mono<T> written = batch(replacing(old, next, true)).thenReturn(value);
    return write.send(written, table.find(EntityKey.of(first)).map(Parts::marked), value);
  }

  /**
   * Changes properties, by their names in the table, and keeps the others; writes only the parts
   * that have these properties. Two requests for each attempt.
   *
   * @return completes when they are stored; fails with {@link NotFound} if there is no such entity,
   *     or {@link IllegalArgumentException} if it does not have all these properties: use {@link
   *     #update} for new ones. A codec that encrypts rejects the merge of properties that it
   *     encrypts
   */
  public Mono<Void> merge(EntityKey key, Map<String, Object> changes) {
    Map<String, Object> copy = Map.copyOf(changes);
    return Mono.defer(() -> mergeable(key, copy))
        .then(ifPresent(key, parts(key).flatMap(old -> merged(key, old, copy))))
        .then();
  }

  /**
   * Gives the codec the opportunity to reject the merge, because the merge itself writes stored
   * parts and bypasses the codec.
   */
  private Mono<TableEntity> mergeable(EntityKey key, Map<String, Object> changes) {
    TableEntity merge = new TableEntity(key.partitionKey(), key.rowKey());
    changes.forEach(merge::addProperty);
    return codec
        .forSameTable(EntityCodec.dynamic())
        .encode(merge, TableTransactionActionType.UPDATE_MERGE);
  }

  private Mono<Boolean> merged(EntityKey key, List<TableEntity> old, Map<String, Object> changes) {
    if (old.isEmpty()) {
      return Mono.empty();
    }
    Map<String, Write<TableEntity>> writes = new LinkedHashMap<>();
    Map<String, TableEntity> merges = new LinkedHashMap<>();
    changes.forEach(
        (name, value) -> {
          TableEntity part =
              Parts.holding(old, name)
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              key + " has no property " + name + "; use update to add one"));
          TableEntity merge =
              merges.computeIfAbsent(
                  part.getRowKey(), row -> new TableEntity(part.getPartitionKey(), row));
          merge.addProperty(name, value);
          writes.put(part.getRowKey(), Write.merge(merge, Condition.eTag(part.getETag())));
        });
    return batch(List.copyOf(writes.values())).thenReturn(true);
  }

  /** Deletes an entity with all its parts: two requests. Returns whether it existed. */
  public Mono<Boolean> deleteIfExists(EntityKey key) {
    return shape(key)
        .flatMap(
            old ->
                old.isEmpty()
                    ? Mono.just(false)
                    : batch(replacing(old, List.of(), false)).thenReturn(true))
        .retryWhen(again(ATTEMPTS, AsyncWideTable::isOvertaken));
  }
}
