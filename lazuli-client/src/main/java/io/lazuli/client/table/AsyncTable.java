package io.lazuli.client.table;

import static io.lazuli.client.query.Filter.partitionKey;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.ServerExplanation;
import io.lazuli.client.query.ServerPlan;
import io.lazuli.client.query.Token;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A table of typed entities, on top of the official client. Each operation is sent when its result
 * is subscribed to, and sent again for each further subscription. Immutable and thread-safe.
 *
 * <p>The retry policy of the given client repeats requests after transient failures (503, 500,
 * timeouts); this class does not retry them itself. A repeated request can find that the first
 * attempt succeeded although its response was lost: an insert may then fail with {@link
 * AlreadyExists} although this very insert created the entity. The upserts and {@link
 * #deleteIfExists} can be repeated without harm.
 *
 * @param <T> the type of the entities
 */
public final class AsyncTable<T> {
  /** The default number of attempts of {@link #update}. */
  public static final int UPDATE_ATTEMPTS = 20;

  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);
  private static final double JITTER = 0.9;
  private static final int BATCH_MAX = 100;
  private static final int NOT_FOUND = 404;

  private final Requests requests;
  private final EntityCodec<T> codec;

  private AsyncTable(Requests requests, EntityCodec<T> codec) {
    codec.checkWritable();
    this.requests = requests;
    this.codec = codec;
  }

  /** Returns the table of a client, with entities of a type. */
  public static <T> AsyncTable<T> of(TableAsyncClient client, EntityCodec<T> codec) {
    return of(Requests.of(client), codec);
  }

  static <T> AsyncTable<T> of(Requests requests, EntityCodec<T> codec) {
    return new AsyncTable<>(requests, codec);
  }

  /**
   * Returns the table of a client, with entities of a record, a class or a sealed family: {@link
   * EntityCodec#of}.
   */
  public static <T> AsyncTable<T> of(TableAsyncClient client, Class<T> type) {
    return of(client, EntityCodec.of(type));
  }

  /**
   * Returns the same table with entities of another type, for example one with fewer properties.
   */
  public <S> AsyncTable<S> as(EntityCodec<S> other) {
    return with(codec.forSameTable(other));
  }

  /**
   * Returns the same table with exactly this codec. If the entities are encrypted, the codec gets
   * them encrypted, unlike with {@link #as}.
   */
  public <S> AsyncTable<S> with(EntityCodec<S> other) {
    return new AsyncTable<>(requests, other);
  }

  /**
   * Returns the same table with entities as they are stored. Encrypted entities stay encrypted,
   * unlike with {@link #as} and dynamic entities. Use it to add properties to an entity that a
   * codec wrote.
   */
  public AsyncTable<TableEntity> stored() {
    return with(EntityCodec.dynamic());
  }

  /** Returns this table with blocking calls. */
  public Table<T> blocking() {
    return new Table<>(this);
  }

  /** Returns the name of the table. */
  public String name() {
    return requests.tableName();
  }

  /** Returns the address of the table, which differs from that of any other table. */
  public String endpoint() {
    return requests.endpoint();
  }

  /** Returns the codec that writes and reads the entities. */
  public EntityCodec<T> codec() {
    return codec;
  }

  /** Returns the entity with a key, or nothing if it does not exist. */
  public Mono<T> find(EntityKey key) {
    return codec.decode(stored(key).flux(), Set.of()).singleOrEmpty();
  }

  private Mono<TableEntity> stored(EntityKey key) {
    return ContainedWork.boundary(requests.get(key))
        .onErrorResume(
            TableServiceException.class,
            thrown -> Failures.isNotFound(thrown) ? Mono.empty() : Mono.error(thrown));
  }

  /**
   * Returns the existing entities among these keys, in no particular order. Sends one point query
   * per key.
   *
   * @param concurrency the number of queries that may run at once
   */
  public Flux<T> findAll(Collection<EntityKey> keys, int concurrency) {
    return Flux.fromIterable(List.copyOf(keys)).flatMap(this::find, concurrency);
  }

  /**
   * Inserts an entity.
   *
   * @return the value with its ETag; the error {@link AlreadyExists} if an entity with its key
   *     exists
   */
  public Mono<T> insert(T value) {
    return sent(value, TableTransactionActionType.CREATE, requests::create);
  }

  /**
   * Replaces an entity and drops properties that the value does not have. The stored entity must
   * have the ETag that the value carries; a value without an ETag is rejected.
   *
   * @return the value with its new ETag; the error {@link NotFound} or {@link ConditionNotMet} if
   *     nothing was written
   */
  public Mono<T> replace(T value) {
    return changed(value, null, TableEntityUpdateMode.REPLACE);
  }

  /** Replaces an entity that meets a condition. See {@link #replace(Object)}. */
  public Mono<T> replace(T value, Condition condition) {
    return changed(value, condition, TableEntityUpdateMode.REPLACE);
  }

  /**
   * Changes the properties that the value has and keeps the others. A null or empty member changes
   * nothing. The stored entity must have the ETag that the value carries; a value without an ETag
   * is rejected.
   *
   * @return the value with its new ETag; the error {@link NotFound} or {@link ConditionNotMet} if
   *     nothing was written
   */
  public Mono<T> merge(T value) {
    return changed(value, null, TableEntityUpdateMode.MERGE);
  }

  /** Changes properties of an entity that meets a condition. See {@link #merge(Object)}. */
  public Mono<T> merge(T value, Condition condition) {
    return changed(value, condition, TableEntityUpdateMode.MERGE);
  }

  /** Inserts an entity, or replaces the existing one. Returns the value with its ETag. */
  public Mono<T> upsertReplace(T value) {
    return upserted(value, TableEntityUpdateMode.REPLACE);
  }

  /**
   * Inserts an entity, or changes properties of the existing one and keeps the others. Returns the
   * value with the ETag of the entity.
   */
  public Mono<T> upsertMerge(T value) {
    return upserted(value, TableEntityUpdateMode.MERGE);
  }

  private Mono<T> upserted(T value, TableEntityUpdateMode mode) {
    TableTransactionActionType kind =
        mode == TableEntityUpdateMode.MERGE
            ? TableTransactionActionType.UPSERT_MERGE
            : TableTransactionActionType.UPSERT_REPLACE;
    return sent(value, kind, entity -> requests.upsert(entity, mode));
  }

  private Mono<T> changed(T value, @Nullable Condition condition, TableEntityUpdateMode mode) {
    TableTransactionActionType kind =
        mode == TableEntityUpdateMode.MERGE
            ? TableTransactionActionType.UPDATE_MERGE
            : TableTransactionActionType.UPDATE_REPLACE;
    return sent(value, kind, entity -> change(entity, condition, mode));
  }

  private Mono<Response<Void>> change(
      TableEntity entity, @Nullable Condition condition, TableEntityUpdateMode mode) {
    TableEntity sent = ETags.expecting(condition, entity);
    return requests.update(sent, mode, ETags.areSentFor(condition));
  }

  /** Sends the entity of a value and returns the value with the entity's new ETag. */
  private Mono<T> sent(
      T value,
      TableTransactionActionType kind,
      Function<TableEntity, Mono<Response<Void>>> operation) {
    return Mono.defer(() -> codec.encode(value, kind))
        .map(SentEntity::of)
        .flatMap(entity -> eTagOf(EntityKey.of(entity), operation.apply(entity)))
        .map(eTag -> codec.withETag(value, eTag));
  }

  private static Mono<String> eTagOf(EntityKey key, Mono<Response<Void>> write) {
    return ContainedWork.boundary(write)
        .map(AsyncTable::eTag)
        .onErrorMap(TableServiceException.class, thrown -> Failures.of(key, thrown));
  }

  /** Returns the ETag of a response. Adds the last quote, which the SDK removes from the header. */
  private static String eTag(Response<?> response) {
    String eTag = String.valueOf(response.getHeaders().getValue(HttpHeaderName.ETAG));
    return eTag.startsWith("W/\"") && !eTag.endsWith("\"") ? eTag + '"' : eTag;
  }

  /**
   * Deletes an entity that meets a condition. Fails with {@link NotFound} or {@link
   * ConditionNotMet} if nothing was deleted.
   */
  public Mono<Void> delete(EntityKey key, Condition condition) {
    return deleted(key, condition)
        .flatMap(found -> found ? Mono.empty() : Mono.error(new NotFound(key, null)));
  }

  /** Deletes an entity whatever its ETag is. Returns whether it existed. */
  public Mono<Boolean> deleteIfExists(EntityKey key) {
    return deleted(key, Condition.any());
  }

  /**
   * Returns false if the entity or its table does not exist: the SDK then returns status 404 and
   * throws nothing.
   */
  private Mono<Boolean> deleted(EntityKey key, Condition condition) {
    TableEntity entity = new TableEntity(key.partitionKey(), key.rowKey());
    return ContainedWork.boundary(
            requests.delete(ETags.expecting(condition, entity), ETags.areSentFor(condition)))
        .map(response -> response.getStatusCode() != NOT_FOUND)
        .onErrorMap(TableServiceException.class, thrown -> Failures.of(key, thrown));
  }

  /**
   * Reads an entity, changes it and replaces it. Starts over if somebody else changed the entity in
   * between, up to {@value #UPDATE_ATTEMPTS} attempts with growing random pauses. No other change
   * is lost. See {@link #update(EntityKey, UnaryOperator, int)}.
   */
  public Mono<T> update(EntityKey key, UnaryOperator<T> change) {
    return update(key, change, UPDATE_ATTEMPTS);
  }

  /**
   * Reads an entity, changes it and replaces it. Starts over if somebody else changed the entity in
   * between. The change takes effect once, even if an answer is lost and the SDK repeats the write:
   * the entity gets a mark for this purpose, see {@link WriteMark}. Properties that the codec does
   * not {@linkplain EntityCodec#knowsProperty know} are kept.
   *
   * @param change may be called several times and on any thread; it must not block and must not
   *     change the key. An exception that it throws ends the update
   * @param attempts the maximum number of attempts; each costs two requests
   * @return the value as it was written, with its new ETag; if an answer was lost, with the ETag
   *     that the value had. The error {@link NotFound} if there is no such entity, {@link
   *     ConditionNotMet} if the last attempt also failed because of a concurrent change, or {@link
   *     OutcomeUnknown} if an answer was lost and the stored entity does not reveal the outcome
   */
  public Mono<T> update(EntityKey key, UnaryOperator<T> change, int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
    }
    Retry again =
        Retry.backoff(attempts - 1L, BACKOFF_MIN)
            .maxBackoff(BACKOFF_MAX)
            .jitter(JITTER)
            .filter(ConditionNotMet.class::isInstance)
            .onRetryExhaustedThrow((spec, signal) -> signal.failure());
    return WriteMark.using(
        key,
        mark ->
            stored(key)
                .switchIfEmpty(Mono.error(() -> new NotFound(key, null)))
                .flatMap(entity -> updated(entity, change, mark.over(entity)))
                .retryWhen(again));
  }

  private Mono<T> updated(TableEntity stored, UnaryOperator<T> change, MarkedWrite write) {
    EntityKey key = EntityKey.of(stored);
    Condition unchanged = Condition.eTag(stored.getETag());
    return codec
        .decode(stored)
        .map(change)
        .doOnNext(next -> key.checkKept(codec.key(next)))
        .flatMap(
            next ->
                codec
                    .encodeOver(stored, next)
                    .map(entity -> SentEntity.of(write.mark(entity)))
                    .map(entity -> change(entity, unchanged, TableEntityUpdateMode.REPLACE))
                    .map(sent -> eTagOf(key, sent).map(eTag -> codec.withETag(next, eTag)))
                    .flatMap(sent -> write.send(sent, stored(key), next)));
  }

  /**
   * Returns the entities of a query in the order of their keys. They are fetched segment by segment
   * on demand, one segment ahead.
   */
  public Flux<T> query(Query query) {
    Flux<TableEntity> entities = pages(query, null).concatMapIterable(PagedResponse::getValue, 1);
    Flux<T> all = codec.decode(entities, Set.copyOf(query.selected()));
    return query.top().isPresent() ? all.take(query.top().getAsInt()) : all;
  }

  /**
   * Returns one segment of a query: a single request.
   *
   * @param token where to continue; null for the first segment
   */
  public Mono<Segment<T>> segment(Query query, @Nullable Token token) {
    return pages(query, token).next().flatMap(page -> segment(page, query, null));
  }

  /**
   * Returns one segment of a query with the explanation of its request: what it read and what it
   * cost. See {@link #explain} for what the client needs.
   *
   * @param token where to continue; null for the first segment
   * @return a segment whose explanation is null if the server is not Lazuli; the error {@link
   *     IllegalStateException} if the client did not send the header
   */
  public Mono<Segment<T>> explainedSegment(Query query, @Nullable Token token) {
    return explained(pages(query, token), ExplainRequest.WITH)
        .flatMap(page -> segment(page, query, ExplainRequest.explanation(page)));
  }

  private Mono<Segment<T>> segment(
      PagedResponse<TableEntity> page, Query query, @Nullable ServerExplanation explanation) {
    String continuation = page.getContinuationToken();
    Token next = continuation == null ? null : Token.ofContinuation(continuation);
    return codec
        .decode(Flux.fromIterable(page.getValue()), Set.copyOf(query.selected()))
        .collectList()
        .map(values -> new Segment<>(values, next, ExplainRequest.plan(page), explanation));
  }

  /**
   * Explains a query without running it: asks the server for the kind, the key ranges, the entities
   * that it would read, what Azure would do, and one advice. The server reads no entity, so some
   * figures are unknown. {@link Query#explain} needs no server, and knows less.
   *
   * <p>The client must be built with {@code addPolicy(new AddHeadersFromContextPolicy())}, because
   * the SDK sends no headers of others without this policy.
   *
   * @return empty if the server is not Lazuli. It then ran the query, for one entity at most; the
   *     error {@link IllegalStateException} if the client did not send the header
   */
  public Mono<ServerExplanation> explain(Query query) {
    return explained(pages(query.top(1), null), ExplainRequest.ONLY)
        .mapNotNull(ExplainRequest::explanation);
  }

  private static Mono<PagedResponse<TableEntity>> explained(
      Flux<PagedResponse<TableEntity>> pages, ExplainRequest request) {
    return pages.next().contextWrite(request::addTo);
  }

  /**
   * Returns how the server executes a query: runs the first request of the query and drops its
   * entities. Only Lazuli reports its plan; the result is empty on other services. {@link
   * Query#explain} says what Azure would do, without a request.
   */
  public Mono<ServerPlan> plan(Query query) {
    return pages(query, null).next().mapNotNull(ExplainRequest::plan);
  }

  private Flux<PagedResponse<TableEntity>> pages(Query query, @Nullable Token token) {
    query.checkFor(codec);
    ListEntitiesOptions options = new ListEntitiesOptions();
    query.filter().map(Filter::text).ifPresent(options::setFilter);
    query.segmentSize().ifPresent(options::setTop);
    if (!query.selected().isEmpty()) {
      Set<String> names = new LinkedHashSet<>(List.of("PartitionKey", "RowKey"));
      names.addAll(query.selected());
      names.addAll(codec.alwaysSelected());
      options.setSelect(List.copyOf(names));
    }
    return ContainedWork.boundary(
        requests.pages(options, token == null ? null : token.continuation()));
  }

  /**
   * Runs a query in several partitions at the same time. Returns the entities in no particular
   * order. The query's own condition selects the entities of each partition.
   *
   * @param concurrency the number of partitions that may be queried at once
   */
  public Flux<T> fanOut(Collection<String> partitionKeys, Query query, int concurrency) {
    Flux<T> all =
        Flux.fromIterable(new LinkedHashSet<>(partitionKeys))
            .flatMap(key -> query(query.and(partitionKey().eq(key))), concurrency, 1);
    return query.top().isPresent() ? all.take(query.top().getAsInt()) : all;
  }

  /**
   * Makes all writes of a batch, or none; fails with {@link BatchFailed} if one was rejected. The
   * new ETags are not returned, because the SDK does not provide them.
   */
  public Mono<Void> batch(Batch<T> batch) {
    return Mono.defer(() -> PlannedWrite.of(batch.writes(), codec))
        .flatMap(writes -> submitted(checked(writes)))
        .then();
  }

  private static List<PlannedWrite> checked(List<PlannedWrite> writes) {
    if (writes.isEmpty() || writes.size() > BATCH_MAX) {
      throw new IllegalArgumentException(
          "a batch has 1 to 100 writes, not " + writes.size() + "; for more use inChunks");
    }
    Set<EntityKey> keys = new HashSet<>();
    String partition = writes.get(0).key().partitionKey();
    for (PlannedWrite write : writes) {
      if (!write.key().partitionKey().equals(partition)) {
        throw new IllegalArgumentException(
            "a batch writes to one partition, not to "
                + partition
                + " and "
                + write.key().partitionKey());
      }
      if (!keys.add(write.key())) {
        throw new IllegalArgumentException("a batch cannot write an entity twice: " + write.key());
      }
    }
    return writes;
  }

  /** Sends the writes as one transaction and returns their number. */
  private Mono<Integer> submitted(List<PlannedWrite> writes) {
    List<TableTransactionAction> actions = writes.stream().map(PlannedWrite::action).toList();
    return ContainedWork.boundary(requests.submit(actions))
        .thenReturn(writes.size())
        .onErrorMap(TableServiceException.class, thrown -> failure(writes, thrown));
  }

  /**
   * Returns the failure of a rejected transaction. If the SDK reports no index, the first write is
   * assumed: Azure omits the index if the first write is rejected because of the stored entity.
   */
  private static Throwable failure(List<PlannedWrite> writes, TableServiceException thrown) {
    Integer index =
        thrown instanceof TableTransactionFailedException refused
            ? refused.getFailedTransactionActionIndex()
            : null;
    PlannedWrite failed = writes.get(index == null || index >= writes.size() ? 0 : index);
    Throwable cause = Failures.of(failed.key(), thrown);
    return index == null && cause == thrown
        ? thrown
        : new BatchFailed(failed.index(), failed.write(), failed.key(), thrown, cause);
  }

  /**
   * Makes any number of writes, to any number of partitions, in batches of at most 100 writes and 4
   * MiB. <strong>The whole is not atomic</strong>: when one batch is rejected, earlier batches have
   * been written and others may have been. Writes to the same entity are made in their order.
   *
   * @param concurrency the number of partitions that may be written to at once
   * @return the number of writes; the error {@link BatchFailed}, with the index in this list, for
   *     the first batch that was rejected
   */
  public Mono<Integer> inChunks(List<Write<T>> writes, int concurrency) {
    return Mono.defer(() -> PlannedWrite.of(writes, codec))
        .flatMapIterable(Chunks::byPartition)
        .flatMap(chunks -> Flux.fromIterable(chunks).concatMap(this::submitted), concurrency)
        .reduce(0, Integer::sum);
  }
}
