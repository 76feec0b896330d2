package io.lazuli.client.pattern.large;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobItem;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.outbox.IdempotentStep;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.outbox.OutboxMessage;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.ConditionNotMet;
import io.lazuli.client.table.MarkedWrite;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.WriteMark;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A table whose entities may have values of up to 256 MiB: large strings and byte arrays are stored
 * in blobs, and the entity has their addresses. Values are read and written as a whole in memory.
 * Immutable and thread-safe.
 *
 * <h2>The order of requests</h2>
 *
 * <p>A write uploads large values under new names, then writes the entity on the condition that it
 * has not changed since it was read, then removes the blobs that the entity no longer names.
 * Wherever a client crashes, the entity names blobs that exist; the only leftovers are orphans,
 * which {@link #collectOrphans} removes. A rejected write also leaves its blobs to the collector if
 * it cannot be sure that the service will not apply the request later.
 *
 * <p>If the table's codec encrypts, values are encrypted before they go to blobs. An encrypted
 * value can have at most 64 KiB, and each is uploaded again at every change of its entity.
 *
 * <p>A reader that finds a blob missing reads the entity again, because the entity was replaced in
 * between.
 *
 * @param <T> the type of the values
 */
public final class AsyncLargeTable<T> {
  private static final int ATTEMPTS = AsyncTable.UPDATE_ATTEMPTS;
  private static final int READ_ATTEMPTS = 5;
  private static final int AT_ONCE = 4;
  private static final Mono<Written<Boolean>> NOTHING_DELETED =
      Mono.just(new Written<>(false, Set.of()));
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(500);

  private final EntityCodec<T> codec;
  private final AsyncTable<TableEntity> rows;
  private final BlobContainerAsyncClient container;
  private final ValueBlobs blobs;
  private final LargeOptions options;
  private final @Nullable Announcing announcing;

  /** The outbox that announces writes, and the kind of its messages. */
  private record Announcing(String kind, Outbox outbox) {}

  private AsyncLargeTable(
      EntityCodec<T> codec,
      AsyncTable<TableEntity> rows,
      BlobContainerAsyncClient container,
      LargeOptions options,
      @Nullable Announcing announcing) {
    this.codec = codec;
    this.rows = rows;
    this.container = container;
    this.blobs = new ValueBlobs(container, rows.name());
    this.options = options;
    this.announcing = announcing;
  }

  /**
   * Creates a table with large values.
   *
   * @param table the underlying table; changing addresses in it by other means breaks the
   *     guarantees
   * @param container an existing container, in which all blobs whose names begin with the table's
   *     name belong to this table. Other tables of the same account may share it
   */
  public static <T> AsyncLargeTable<T> of(AsyncTable<T> table, BlobContainerAsyncClient container) {
    return new AsyncLargeTable<>(
        table.codec(), table.stored(), container, LargeOptions.DEFAULT, null);
  }

  /** Returns this table with other options. */
  public AsyncLargeTable<T> with(LargeOptions other) {
    return new AsyncLargeTable<>(codec, rows, container, other, announcing);
  }

  /**
   * Returns this table with writes announced in an outbox: a worker with the {@linkplain #step()
   * step} removes the leftovers of a failed write, so that {@link #collectOrphans} is not needed.
   * Each write costs two more requests. The outbox makes its last check once orphans may be
   * removed. That time depends on the options, so set them first.
   *
   * @param kind the kind of the messages, which must differ from all other kinds in the same queue
   */
  public AsyncLargeTable<T> announcedIn(Outbox outbox, String kind) {
    Duration lastCheck = options.orphanAgeMin().plus(options.writeMax()).plusSeconds(2);
    Outbox patient = outbox.lastCheckAfter(Duration.ofSeconds(lastCheck.toSeconds()));
    return new AsyncLargeTable<>(codec, rows, container, options, new Announcing(kind, patient));
  }

  /**
   * Returns the step with which a worker handles a message. It removes the orphans of the entity.
   */
  public IdempotentStep step() {
    return message -> collectOrphansOf(message.key()).then();
  }

  /** Returns this table with blocking calls. */
  public LargeTable<T> blocking() {
    return new LargeTable<>(this);
  }

  /**
   * Returns the value with this key; empty if there is none. One request, and one more for each
   * large value.
   */
  public Mono<T> find(EntityKey key) {
    return loaded(key).flatMap(loaded -> codec.decode(loaded.whole()));
  }

  /**
   * Returns the values of a query, in the order of their keys: the requests of the query, and one
   * more for each large value. A filter cannot compare a large property. If a value is replaced
   * while it is fetched, the new value is returned even if the filter does not match it.
   */
  public Flux<T> query(Query query) {
    query.checkFor(codec);
    Flux<TableEntity> found =
        rows.query(withAddresses(query))
            .flatMapSequential(
                stored ->
                    load(stored)
                        .onErrorResume(ValueBlobs::isMissing, gone -> loaded(EntityKey.of(stored))),
                AT_ONCE,
                1)
            .map(Loaded::whole);
    return codec.decode(found, Set.copyOf(query.selected()));
  }

  private Query withAddresses(Query query) {
    if (query.selected().isEmpty()) {
      return query;
    }
    Set<String> names = new LinkedHashSet<>(query.selected());
    names.addAll(codec.alwaysSelected());
    return query.select(Addresses.selecting(List.copyOf(names)).toArray(String[]::new));
  }

  /** An entity that was read, and its large values. */
  private record Loaded(TableEntity stored, StoredValues known) {
    TableEntity whole() {
      return Addresses.filled(stored, known.values());
    }
  }

  private Mono<Loaded> loaded(EntityKey key) {
    return rows.find(key).flatMap(stored -> loaded(stored, READ_ATTEMPTS));
  }

  private Mono<Loaded> loaded(TableEntity stored, int attempts) {
    return load(stored)
        .onErrorResume(ValueBlobs::isMissing, gone -> loadedAgain(stored, attempts, gone));
  }

  private Mono<Loaded> loadedAgain(TableEntity stored, int attempts, Throwable gone) {
    EntityKey key = EntityKey.of(stored);
    return rows.find(key)
        .flatMap(
            now ->
                attempts == 1 || now.getETag().equals(stored.getETag())
                    ? Mono.error(
                        new MissingBlob(key, Addresses.of(stored).values().toString(), gone))
                    : loaded(now, attempts - 1));
  }

  private Mono<Loaded> load(TableEntity stored) {
    Map<String, String> addresses = Addresses.of(stored);
    return blobs
        .download(addresses)
        .map(values -> new Loaded(stored, new StoredValues(addresses, values)));
  }

  /**
   * Inserts a value: one request, and one more for each large value. If the SDK repeats the insert
   * after a lost response, the insert recognises its own entity by its blobs and succeeds. Without
   * large values it fails with {@link AlreadyExists}, like a plain insert.
   *
   * @return the value with its ETag; the error {@link AlreadyExists} if a value with its key exists
   */
  public Mono<T> insert(T value) {
    return split(value, StoredValues.NONE)
        .flatMap(
            split -> {
              Mono<String> inserted =
                  uploaded(split, eTag(rows.insert(split.entity())))
                      .onErrorResume(AlreadyExists.class, failure -> unlessOurs(split, failure));
              return finished(
                  EntityKey.of(split.entity()),
                  inserted.map(eTag -> new Written<>(codec.withETag(value, eTag), Set.of())));
            });
  }

  private static Mono<String> eTag(Mono<TableEntity> written) {
    return written.map(TableEntity::getETag);
  }

  private Mono<String> unlessOurs(Split split, Throwable failure) {
    return rows.find(EntityKey.of(split.entity()))
        .filter(split::isIn)
        .map(TableEntity::getETag)
        .switchIfEmpty(Mono.error(failure));
  }

  /**
   * Inserts a value, or replaces the value with the same key: two requests, one more for each large
   * value, and one for each large value that is replaced.
   *
   * @return the value with its ETag
   */
  public Mono<T> put(T value) {
    return split(value, StoredValues.NONE)
        .flatMap(this::put)
        .map(eTag -> codec.withETag(value, eTag));
  }

  private Mono<String> put(Split split) {
    EntityKey key = EntityKey.of(split.entity());
    Set<String> replaced = ConcurrentHashMap.newKeySet();
    Mono<String> attempt =
        current(key)
            .flatMap(before -> written(split, before, replaced))
            .retryWhen(retryWhenOvertaken());
    return finished(
        key, uploaded(split, attempt).map(eTag -> new Written<>(eTag, Set.copyOf(replaced))));
  }

  /** The result of a write, and the blobs that the entity no longer names. */
  private record Written<R>(R answer, Set<String> replaced) {}

  /** Returns the result of a write once the write succeeded, even if the cleanup after it fails. */
  private <R> Mono<R> finished(EntityKey key, Mono<Written<R>> write) {
    return Mono.defer(
        () -> {
          AtomicReference<@Nullable R> made = new AtomicReference<>();
          Mono<R> work =
              write.flatMap(
                  done -> {
                    made.set(done.answer());
                    return blobs.remove(done.replaced()).thenReturn(done.answer());
                  });
          return announced(key, work)
              .onErrorResume(
                  failure -> Mono.justOrEmpty(made.get()).switchIfEmpty(Mono.error(failure)));
        });
  }

  private <R> Mono<R> announced(EntityKey key, Mono<R> work) {
    return announcing == null
        ? work
        : announcing.outbox().around(new OutboxMessage(announcing.kind(), key), work);
  }

  private Mono<Optional<TableEntity>> current(EntityKey key) {
    return rows.find(key).map(Optional::of).defaultIfEmpty(Optional.empty());
  }

  /**
   * Inserts or replaces the entity and adds the blobs that it then no longer names. These blobs are
   * kept over all attempts: if a response is lost, the next attempt finds its own entity, which no
   * longer names them. Once the write succeeds, nobody names them again, so they can be removed.
   */
  private Mono<String> written(Split split, Optional<TableEntity> before, Set<String> replaced) {
    if (before.isEmpty()) {
      return eTag(rows.insert(split.entity()));
    }
    TableEntity stored = before.get();
    if (split.isIn(stored)) {
      return Mono.just(stored.getETag());
    }
    replaced.addAll(noLongerNamed(stored, split));
    return eTag(rows.replace(split.entity(), Condition.eTag(stored.getETag())))
        .onErrorMap(NotFound.class, gone -> new ConditionNotMet(gone.key(), gone));
  }

  private static Set<String> noLongerNamed(TableEntity before, Split after) {
    Set<String> gone = new LinkedHashSet<>(Addresses.of(before).values());
    gone.removeAll(Addresses.of(after.entity()).values());
    return gone;
  }

  /**
   * Replaces a value that still has the ETag it was read with: two requests, one more for each
   * large value, and one for each large value that is replaced.
   *
   * @return the value with its new ETag; the error {@link NotFound} if there is no value with its
   *     key, {@link ConditionNotMet} if it has another ETag, or {@link OutcomeUnknown} if an answer
   *     was lost and the entity does not reveal the outcome
   */
  public Mono<T> replace(T value) {
    return split(value, StoredValues.NONE)
        .flatMap(this::replace)
        .map(eTag -> codec.withETag(value, eTag));
  }

  private Mono<String> replace(Split split) {
    EntityKey key = EntityKey.of(split.entity());
    String expected = split.entity().getETag();
    if (expected == null) {
      return Mono.error(new IllegalArgumentException(key + " carries no ETag"));
    }
    return finished(
        key,
        WriteMark.using(
            key,
            mark ->
                rows.find(key)
                    .switchIfEmpty(Mono.error(() -> new NotFound(key, null)))
                    .flatMap(
                        stored ->
                            stored.getETag().equals(expected)
                                ? replaced(stored, split, mark)
                                : Mono.error(new ConditionNotMet(key, null)))));
  }

  /**
   * Reads a value, changes it and replaces it. Starts over if somebody else changed it in between,
   * up to {@value io.lazuli.client.table.AsyncTable#UPDATE_ATTEMPTS} attempts. Unchanged large
   * values are not uploaded again. Costs two requests, one for each large value that is read, and
   * two for each large value that is changed.
   *
   * @param change may be called several times and on any thread; it must not block and must not
   *     change the key
   * @return the value as it was written, with its new ETag; the error {@link NotFound} if there is
   *     no value with this key, or {@link OutcomeUnknown} if an answer was lost and the entity does
   *     not reveal the outcome
   */
  public Mono<T> update(EntityKey key, UnaryOperator<T> change) {
    return finished(
        key,
        WriteMark.using(
            key,
            mark ->
                loaded(key)
                    .switchIfEmpty(Mono.error(() -> new NotFound(key, null)))
                    .flatMap(before -> updated(key, before, change, mark))
                    .retryWhen(retryWhenOvertaken())));
  }

  private Mono<Written<T>> updated(
      EntityKey key, Loaded before, UnaryOperator<T> change, WriteMark mark) {
    return codec
        .decode(before.whole())
        .map(change)
        .doOnNext(value -> key.checkKept(codec.key(value)))
        .flatMap(
            value ->
                codec
                    .encodeOver(before.whole(), value)
                    .map(whole -> split(whole, before.known()))
                    .flatMap(split -> replaced(before.stored(), split, mark))
                    .map(
                        done ->
                            new Written<>(codec.withETag(value, done.answer()), done.replaced())));
  }

  /** Replaces the entity if it has not changed since it was read. */
  private Mono<Written<String>> replaced(TableEntity stored, Split split, WriteMark mark) {
    MarkedWrite write = mark.over(stored);
    TableEntity next = write.mark(split.entity());
    Mono<String> sent = eTag(rows.replace(next, Condition.eTag(stored.getETag())));
    Mono<TableEntity> now = rows.find(EntityKey.of(stored));
    return uploaded(split, write.send(sent, now, stored.getETag()))
        .onErrorMap(TimeoutException.class, late -> new OutcomeUnknown(EntityKey.of(stored), late))
        .onErrorResume(ConditionNotMet.class, refused -> settled(split, refused))
        .map(eTag -> new Written<>(eTag, noLongerNamed(stored, split)));
  }

  /**
   * Handles a rejected replacement: another client was faster. An ETag is never used again, so even
   * a delayed attempt will be rejected, and the blobs can be removed.
   */
  private Mono<String> settled(Split split, Throwable refused) {
    return blobs.remove(split.fresh().keySet()).then(Mono.error(refused));
  }

  /**
   * Deletes the value with this key and its blobs: two requests, and one more for each large value.
   *
   * @return whether the value existed; may be false if the SDK repeated the deletion after a lost
   *     response
   */
  public Mono<Boolean> delete(EntityKey key) {
    return finished(
        key,
        current(key)
            .flatMap(before -> before.map(row -> deleted(key, row)).orElse(NOTHING_DELETED))
            .retryWhen(retryWhenOvertaken()));
  }

  /**
   * Deletes the entity if it has not changed since it was read. If it is gone, this deletion or
   * another made it so, and no entity will name the blobs again.
   */
  private Mono<Written<Boolean>> deleted(EntityKey key, TableEntity stored) {
    Set<String> named = Set.copyOf(Addresses.of(stored).values());
    return rows.delete(key, Condition.eTag(stored.getETag()))
        .thenReturn(new Written<>(true, named))
        .onErrorResume(NotFound.class, gone -> Mono.just(new Written<>(false, named)));
  }

  private Mono<Split> split(T value, StoredValues known) {
    return Mono.defer(() -> codec.encode(value, TableTransactionActionType.UPSERT_REPLACE))
        .map(whole -> split(whole, known));
  }

  private Split split(TableEntity whole, StoredValues known) {
    return Split.of(whole, known, blobs, options.inlineBytesMax());
  }

  private <R> Mono<R> uploaded(Split split, Mono<R> write) {
    return blobs.upload(split).then(write).timeout(options.writeMax());
  }

  private static Retry retryWhenOvertaken() {
    return Retry.backoff(ATTEMPTS - 1L, BACKOFF_MIN)
        .maxBackoff(BACKOFF_MAX)
        .jitter(0.9)
        .filter(AsyncLargeTable::isOvertaken)
        .onRetryExhaustedThrow((spec, signal) -> signal.failure());
  }

  private static boolean isOvertaken(Throwable failure) {
    return failure instanceof ConditionNotMet || failure instanceof AlreadyExists;
  }

  /**
   * Removes the blobs that no entity names and that are older than an hour. See {@link
   * #collectOrphans(Duration)}.
   */
  public Mono<Long> collectOrphans() {
    return collectOrphans(options.orphanAgeMin());
  }

  /**
   * Removes the blobs that no entity names. The call may be made at any time, also in several
   * processes at once, and may be interrupted at any time. It costs one request for each 5,000
   * blobs, one for each entity with blobs older than the age, and one for each orphan.
   *
   * <p>Younger blobs are kept, because the entity that names a newly uploaded blob may not be
   * written yet. Ages are measured by the service's clock.
   *
   * @param age at least {@link LargeOptions#orphanAgeMin}, which is an hour with the default
   *     options
   * @return the number of removed blobs
   */
  public Mono<Long> collectOrphans(Duration age) {
    return collect(blobs.prefix(), age);
  }

  /** Like {@link #collectOrphans()}, for the blobs of one entity. */
  public Mono<Long> collectOrphansOf(EntityKey key) {
    return collect(blobs.prefixOf(key), options.orphanAgeMin());
  }

  private Mono<Long> collect(String prefix, Duration age) {
    if (age.compareTo(options.orphanAgeMin()) < 0) {
      throw new IllegalArgumentException(
          "blobs younger than "
              + options.orphanAgeMin()
              + " are not collected, because a write may take "
              + options.writeMax());
    }
    return blobs
        .pages(prefix)
        .concatMap(page -> collect(page.getValue(), ValueBlobs.time(page).minus(age)))
        .reduce(0L, Long::sum);
  }

  Mono<Long> collectUploadedBefore(Instant before) {
    return blobs
        .pages(blobs.prefix())
        .concatMap(page -> collect(page.getValue(), before))
        .reduce(0L, Long::sum);
  }

  private Mono<Long> collect(List<BlobItem> page, Instant before) {
    Map<EntityKey, List<String>> old =
        page.stream()
            .filter(blob -> isOlder(blob, before))
            .collect(
                Collectors.groupingBy(
                    ValueBlobs::owner, Collectors.mapping(BlobItem::getName, Collectors.toList())));
    return Flux.fromIterable(old.entrySet())
        .flatMap(blobsOfOne -> removed(blobsOfOne.getKey(), blobsOfOne.getValue()), AT_ONCE)
        .reduce(0L, Long::sum);
  }

  /**
   * Returns whether a blob was last modified before a time. Adds a second, because the service
   * truncates times to the second.
   */
  private static boolean isOlder(BlobItem blob, Instant before) {
    Instant latest = blob.getProperties().getLastModified().toInstant().plusSeconds(1);
    return !latest.isAfter(before);
  }

  /**
   * Removes the old blobs that the entity does not name. The entity is read after the blobs were
   * listed. An entity never names an old blob that it did not name before.
   */
  private Mono<Long> removed(EntityKey owner, List<String> old) {
    return current(owner)
        .map(stored -> stored.map(Addresses::of).orElse(Map.of()).values())
        .flatMap(
            named ->
                blobs.remove(old.stream().filter(address -> !named.contains(address)).toList()));
  }
}
