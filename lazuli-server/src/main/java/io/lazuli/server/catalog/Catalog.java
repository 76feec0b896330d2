package io.lazuli.server.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Maps the names of tables, queues and containers to spaces: creates, finds, changes and drops
 * them.
 *
 * <p>Existing names are cached for at most an hour; missing names are never cached. A cached name
 * may be stale. The engine then reports {@code SPACE_GONE}, and the catalogue forgets the name,
 * reads it again and repeats the work on the space that it finds. So no write is ever acknowledged
 * into a space that was dropped before the request began.
 *
 * <p>On a shared engine, access rules and the properties of services have stamps. A stamp is a
 * space without records that stands for one value. Whoever changes the value drops the stamp in the
 * same transaction. So a server may keep the value and only has to know that its stamp exists.
 */
public final class Catalog {
  /**
   * The longest time for which a name is cached. Shorter than the day for which engines remember a
   * drop.
   */
  private static final Duration CACHED_MAX = Duration.ofHours(1);

  private static final int CACHED_NAMES_MAX = 100_000;

  /** After this many attempts, a name that keeps being dropped and created counts as busy. */
  private static final int ATTEMPTS_MAX = 5;

  private static final CompletableFuture<Boolean> CURRENT = CompletableFuture.completedFuture(true);

  private final StorageEngine engine;
  private final DeletedNames deleted;
  private final Cache<RecordKey, CatalogEntry> cache =
      Caffeine.newBuilder().maximumSize(CACHED_NAMES_MAX).expireAfterWrite(CACHED_MAX).build();

  /** Rows with a stamp, for their access rules. */
  private final Cache<RecordKey, CatalogRow> rules =
      Caffeine.newBuilder().maximumSize(CACHED_NAMES_MAX).expireAfterWrite(CACHED_MAX).build();

  public Catalog(StorageEngine engine) {
    this.engine = engine;
    this.deleted = new DeletedNames(engine);
  }

  /** Returns the names that can be restored. */
  public DeletedNames deletedNames() {
    return deleted;
  }

  /** Finds a name by its key (lower case); null if there is none. */
  public CompletableFuture<@Nullable CatalogEntry> find(
      ServiceHome home, String key, Deadline deadline) {
    CatalogEntry cached = cached(home, key);
    return cached != null ? CompletableFuture.completedFuture(cached) : lookUp(home, key, deadline);
  }

  private @Nullable CatalogEntry cached(ServiceHome home, String key) {
    return cache.getIfPresent(home.partition().row(CatalogEntryCodec.row(key)));
  }

  /** Reads a name from the store without looking in the cache, and caches the result. */
  private CompletableFuture<@Nullable CatalogEntry> lookUp(
      ServiceHome home, String key, Deadline deadline) {
    return read(home, key, deadline)
        .<@Nullable CatalogEntry>thenApply(
            found -> {
              if (found == null) {
                return null;
              }
              CatalogEntry entry = found.entry(home.partition());
              cache.put(home.partition().row(CatalogEntryCodec.row(key)), entry);
              return entry;
            });
  }

  /**
   * Returns everything that the catalogue stores for a name; null if there is none. Always reads
   * the store.
   */
  public CompletableFuture<@Nullable CatalogRow> read(
      ServiceHome home, String key, Deadline deadline) {
    return engine
        .read(home.partition().row(CatalogEntryCodec.row(key)), deadline)
        .<@Nullable CatalogRow>thenApply(
            value -> value == null ? null : CatalogEntryCodec.decode(value));
  }

  /**
   * Returns the row of a name; null if there is none. Its access rules are those in force after the
   * call began. The rest of the row may be older.
   */
  public CompletableFuture<@Nullable CatalogRow> readRules(
      ServiceHome home, String key, Deadline deadline) {
    CatalogRow kept = rules.getIfPresent(home.partition().row(CatalogEntryCodec.row(key)));
    return kept == null
        ? readAndKeep(home, key, deadline)
        : isCurrent(home, kept.stamp(), deadline)
            .<@Nullable CatalogRow>thenCompose(
                current ->
                    current
                        ? CompletableFuture.<@Nullable CatalogRow>completedFuture(kept)
                        : readAndKeep(home, key, deadline));
  }

  private CompletableFuture<@Nullable CatalogRow> readAndKeep(
      ServiceHome home, String key, Deadline deadline) {
    return read(home, key, deadline)
        .<@Nullable CatalogRow>thenApply(
            row -> {
              if (row != null && row.stamp() != 0) {
                rules.put(home.partition().row(CatalogEntryCodec.row(key)), row);
              }
              return row;
            });
  }

  /**
   * Returns a stamp for a value that is about to be stored.
   *
   * @param worthIt false if few requests need the value; it then has no stamp and is not kept
   * @return 0 for none
   */
  public CompletableFuture<Long> newStamp(ServiceHome home, boolean worthIt, Deadline deadline) {
    return worthIt && engine.isShared()
        ? engine.newSpace(home.kind(), deadline)
        : CompletableFuture.completedFuture(0L);
  }

  /**
   * Returns whether the value of a stamp is still in force, at a moment after the call began. On an
   * engine that is not shared, the only server knows of every change.
   */
  public CompletableFuture<Boolean> isCurrent(ServiceHome home, long stamp, Deadline deadline) {
    return engine.isShared()
        ? engine.exists(new Space(stamp, home.partition()), deadline)
        : CURRENT;
  }

  /** Returns true if other servers may change the catalogue too. */
  public boolean isShared() {
    return engine.isShared();
  }

  /** Creates a name without metadata for a new space; false if the name exists. */
  public CompletableFuture<Boolean> create(
      ServiceHome home, String key, String name, Deadline deadline) {
    return create(home, key, name, new byte[0], deadline).thenApply(Creation::created);
  }

  /**
   * The result of a creation.
   *
   * @param created false if the name existed
   * @param row the row of the name after the call
   */
  public record Creation(boolean created, CatalogRow row) {}

  /** Creates a name for a new space, unless the name exists. */
  public CompletableFuture<Creation> create(
      ServiceHome home, String key, String name, byte[] metadata, Deadline deadline) {
    return create(home, key, name, 0, ticks -> metadata, deadline);
  }

  /**
   * Creates a name for a new space, unless the name exists.
   *
   * @param stamp for the access rules in the metadata
   * @param metadata returns the metadata for the timestamp of the name; may be called several times
   */
  public CompletableFuture<Creation> create(
      ServiceHome home,
      String key,
      String name,
      long stamp,
      LongFunction<byte[]> metadata,
      Deadline deadline) {
    Bytes row = CatalogEntryCodec.row(key);
    return engine
        .newSpace(home.kind(), deadline)
        .thenCompose(
            space ->
                engine.transact(
                    home.partition(),
                    List.of(row),
                    deadline,
                    view -> create(view, row, name, space, stamp, metadata)));
  }

  private static Creation create(
      PartitionView view,
      Bytes row,
      String name,
      long space,
      long stamp,
      LongFunction<byte[]> metadata) {
    byte[] value = view.read(row);
    if (value != null) {
      return new Creation(false, CatalogEntryCodec.decode(value));
    }
    CatalogRow made = new CatalogRow(name, space, stamp, metadata.apply(view.timestamp(row)));
    view.put(row, CatalogEntryCodec.encode(made));
    return new Creation(true, made);
  }

  /** Deletes a name and drops its space, whatever its size; false if there is no such name. */
  public CompletableFuture<Boolean> delete(ServiceHome home, String key, Deadline deadline) {
    return delete(home, CatalogEntryCodec.row(key), deadline);
  }

  private CompletableFuture<Boolean> delete(ServiceHome home, Bytes row, Deadline deadline) {
    return change(
            home,
            row,
            deadline,
            (view, old) -> {
              view.drop(old.entry(home.partition()).space());
              return null;
            })
        .whenComplete((deleted, failure) -> forget(home, row));
  }

  /**
   * Gives a name a new space and drops the old one, whatever its size; false if there is no such
   * name. Policies and metadata stay.
   */
  public CompletableFuture<Boolean> renew(ServiceHome home, String key, Deadline deadline) {
    Bytes row = CatalogEntryCodec.row(key);
    return engine
        .newSpace(home.kind(), deadline)
        .thenCompose(
            fresh ->
                change(
                    home,
                    row,
                    deadline,
                    (view, old) -> {
                      view.drop(old.entry(home.partition()).space());
                      return old.withSpace(fresh);
                    }))
        .whenComplete((renewed, failure) -> forget(home, row));
  }

  /** Sets the stored access policies of a name; false if there is no such name. */
  public CompletableFuture<Boolean> replacePolicies(
      ServiceHome home, String key, byte[] policies, Deadline deadline) {
    Bytes row = CatalogEntryCodec.row(key);
    return newStamp(home, policies.length > 0, deadline)
        .thenCompose(
            stamp -> change(home, row, deadline, (view, old) -> old.withPolicies(policies, stamp)));
  }

  /** Sets the metadata of a name; false if there is no such name. */
  public CompletableFuture<Boolean> replaceMetadata(
      ServiceHome home, String key, byte[] metadata, Deadline deadline) {
    Bytes row = CatalogEntryCodec.row(key);
    return change(home, row, deadline, (view, old) -> old.withMetadata(metadata));
  }

  /**
   * Decides inside a transaction what happens to a name. Pure: an engine may call it several times.
   *
   * @param <R> the result for the caller
   */
  @FunctionalInterface
  public interface NameDecision<R> {
    /**
     * Returns the decision for a name.
     *
     * @param ticks supplies a timestamp for the name, if one is needed
     */
    NameChange<R> decide(CatalogRow old, LongSupplier ticks);
  }

  /** The change to a name, with the result for the caller. */
  public sealed interface NameChange<R> {
    R result();

    /** The name stays as it is. */
    record Kept<R>(R result) implements NameChange<R> {}

    /** The name's row is replaced. */
    record Replaced<R>(R result, CatalogRow row) implements NameChange<R> {}

    /** The name is deleted and its space is dropped. */
    record Deleted<R>(R result) implements NameChange<R> {}

    /**
     * The name is deleted and can be restored until a time.
     *
     * @param row the row that the restored name will have
     * @param deletedTicks the timestamp of the deletion
     */
    record SoftDeleted<R>(R result, CatalogRow row, long deletedTicks, long endTicks)
        implements NameChange<R> {}
  }

  /**
   * Changes, deletes or keeps a name, depending on its current row.
   *
   * @param missing the error of the future if there is no such name
   */
  public <R> CompletableFuture<R> decide(
      ServiceHome home,
      String key,
      Deadline deadline,
      ServiceError missing,
      NameDecision<R> decision) {
    Bytes row = CatalogEntryCodec.row(key);
    return engine
        .transact(
            home.partition(), List.of(row), deadline, view -> decided(view, home, row, decision))
        .whenComplete((result, failure) -> forget(home, row))
        .thenApply(result -> result.orElseThrow(missing::exception));
  }

  private static <R> Optional<R> decided(
      PartitionView view, ServiceHome home, Bytes row, NameDecision<R> decision) {
    byte[] value = view.read(row);
    if (value == null) {
      return Optional.empty();
    }
    CatalogRow old = CatalogEntryCodec.decode(value);
    NameChange<R> change = decision.decide(old, () -> view.timestamp(row));
    if (change instanceof NameChange.Deleted<R>) {
      view.drop(old.entry(home.partition()).space());
      write(view, home, row, old, null);
    } else if (change instanceof NameChange.SoftDeleted<R> soft) {
      DeletedNames.put(view, new DeletedName(soft.row(), soft.deletedTicks(), soft.endTicks()));
      write(view, home, row, old, null);
    } else if (change instanceof NameChange.Replaced<R> replaced) {
      write(view, home, row, old, replaced.row());
    }
    return Optional.of(change.result());
  }

  /**
   * Writes or deletes the row of a name, and drops its stamp and its gate if the row has others
   * now.
   */
  private static void write(
      PartitionView view,
      ServiceHome home,
      Bytes row,
      CatalogRow old,
      @Nullable CatalogRow changed) {
    if (old.stamp() != 0 && (changed == null || changed.stamp() != old.stamp())) {
      view.drop(new Space(old.stamp(), home.partition()));
    }
    if (old.gate() != 0 && (changed == null || changed.gate() != old.gate())) {
      view.drop(new Space(old.gate(), home.partition()));
    }
    if (changed == null) {
      view.delete(row);
    } else {
      view.put(row, CatalogEntryCodec.encode(changed));
    }
  }

  /** Returns the new row; null to delete the name. May be called several times. */
  @FunctionalInterface
  private interface RowChange {
    @Nullable CatalogRow apply(PartitionView view, CatalogRow old);
  }

  private CompletableFuture<Boolean> change(
      ServiceHome home, Bytes row, Deadline deadline, RowChange change) {
    return engine.transact(
        home.partition(),
        List.of(row),
        deadline,
        view -> {
          byte[] value = view.read(row);
          if (value == null) {
            return false;
          }
          CatalogRow old = CatalogEntryCodec.decode(value);
          write(view, home, row, old, change.apply(view, old));
          return true;
        });
  }

  /**
   * Deletes names of a home, soft-deleted ones too, and drops their spaces. Deletes the service
   * properties after the last name.
   *
   * @param namesMax the number of names to delete in one call
   * @return true if no names were left
   */
  public CompletableFuture<Boolean> clear(ServiceHome home, int namesMax, Deadline deadline) {
    List<Bytes> names = new ArrayList<>();
    return scanNames(
            home,
            "",
            deadline,
            record -> {
              names.add(Bytes.of(record.row().copy()));
              return names.size() < namesMax ? Visit.CONTINUE : Visit.STOP;
            })
        .thenCompose(
            scanned ->
                names.isEmpty()
                    ? clearRest(home, namesMax, deadline)
                    : Futures.all(names.stream().map(row -> delete(home, row, deadline)).toList())
                        .thenApply(deleted -> false));
  }

  private CompletableFuture<Boolean> clearRest(ServiceHome home, int namesMax, Deadline deadline) {
    return deleted
        .clear(home, namesMax, deadline)
        .thenCompose(
            cleared ->
                cleared
                    ? clearProperties(home, deadline)
                    : CompletableFuture.completedFuture(false));
  }

  private CompletableFuture<Boolean> clearProperties(ServiceHome home, Deadline deadline) {
    return properties(home, deadline)
        .thenCompose(
            found ->
                found.document() == null
                    ? CompletableFuture.completedFuture(true)
                    : changeProperties(home, old -> StoredProperties.NOTHING, deadline)
                        .thenApply(replaced -> true));
  }

  /** Returns the properties of a service. Always reads the store. */
  public CompletableFuture<StoredProperties> properties(ServiceHome home, Deadline deadline) {
    return engine
        .read(home.partition().row(CatalogEntryCodec.PROPERTIES), deadline)
        .thenApply(value -> StoredProperties.decode(value, home.kind()));
  }

  /**
   * Changes the properties of a service.
   *
   * @param change returns the new document, given the old one or null if there is none; may be
   *     called several times
   * @return the new document
   */
  public CompletableFuture<byte[]> changeProperties(
      ServiceHome home, Function<byte @Nullable [], byte[]> change, Deadline deadline) {
    Bytes row = CatalogEntryCodec.PROPERTIES;
    return newStamp(home, true, deadline)
        .thenCompose(
            stamp ->
                engine.transact(
                    home.partition(),
                    List.of(row),
                    deadline,
                    view -> {
                      StoredProperties old = StoredProperties.decode(view.read(row), home.kind());
                      byte[] document = change.apply(old.document());
                      if (stamp != 0) {
                        view.drop(new Space(old.stamp(), home.partition()));
                      }
                      byte[] value = StoredProperties.encode(document, stamp);
                      if (value.length == 0) {
                        view.delete(row);
                      } else {
                        view.put(row, value);
                      }
                      return document;
                    }));
  }

  /**
   * Passes the names of a home to a visitor, in the order of their keys, until it returns false.
   */
  public CompletableFuture<@Nullable Void> list(
      ServiceHome home, String fromKey, Deadline deadline, Predicate<CatalogRow> visitor) {
    return scanNames(
        home,
        fromKey,
        deadline,
        record -> {
          CatalogRow row = CatalogEntryCodec.decode(record.value().copy());
          return visitor.test(row) ? Visit.CONTINUE : Visit.STOP;
        });
  }

  /**
   * Returns the homes of all accounts that have names of this kind. Seeks from one home to the
   * next.
   */
  public CompletableFuture<List<ServiceHome>> homes(SpaceKind kind, Deadline deadline) {
    return homes(kind, Bytes.EMPTY, Integer.MAX_VALUE, deadline);
  }

  /** Returns some homes of a kind that have rows, from a partition of the catalogue on. */
  CompletableFuture<List<ServiceHome>> homes(
      SpaceKind kind, Bytes from, int max, Deadline deadline) {
    List<ServiceHome> homes = new ArrayList<>();
    return engine
        .scan(
            Space.CATALOGUE,
            List.of(new KeyRange(Position.startOf(from), null)),
            Direction.FORWARD,
            deadline,
            record -> {
              Bytes partition = Bytes.of(record.partition().copy());
              ServiceHome home = ServiceHome.find(partition);
              if (home != null && home.kind() == kind) {
                homes.add(home);
              }
              return homes.size() < max ? Visit.skipTo(Position.endOf(partition)) : Visit.STOP;
            })
        .thenApply(scanned -> homes);
  }

  private CompletableFuture<@Nullable Void> scanNames(
      ServiceHome home, String fromKey, Deadline deadline, RecordVisitor visitor) {
    Bytes partition = home.partition().name();
    KeyRange names =
        new KeyRange(
            new Position(partition, CatalogEntryCodec.row(fromKey)),
            new Position(partition, CatalogEntryCodec.NAMES_END));
    return engine.scan(Space.CATALOGUE, List.of(names), Direction.FORWARD, deadline, visitor);
  }

  /**
   * Runs work on the space that a name stands for. If the space was dropped in between, looks up
   * the name again and repeats the work on the new space.
   *
   * @param missing the error of the future if there is no such name
   * @return the result of the work
   */
  public <R> CompletableFuture<R> onSpace(
      ServiceHome home,
      String key,
      Deadline deadline,
      ServiceError missing,
      Function<CatalogEntry, CompletableFuture<R>> work) {
    return new OnSpace<>(home, key, deadline, missing, work).attempt(1);
  }

  /** Runs work on a name, and repeats it if the space of the name was dropped in between. */
  private final class OnSpace<R> {
    private final ServiceHome home;
    private final String key;
    private final Deadline deadline;
    private final ServiceError missing;
    private final Function<CatalogEntry, CompletableFuture<R>> work;

    OnSpace(
        ServiceHome home,
        String key,
        Deadline deadline,
        ServiceError missing,
        Function<CatalogEntry, CompletableFuture<R>> work) {
      this.home = home;
      this.key = key;
      this.deadline = deadline;
      this.missing = missing;
      this.work = work;
    }

    CompletableFuture<R> attempt(int number) {
      CompletableFuture<R> begun = begin(number);
      boolean succeeded = begun.isDone() && !begun.isCompletedExceptionally();
      return succeeded ? begun : begun.exceptionallyCompose(failure -> retry(failure, number));
    }

    /**
     * Runs one attempt. Attempts after the first read the store, because another request may have
     * cached an entry that it read before the drop.
     */
    private CompletableFuture<R> begin(int number) {
      CatalogEntry cached = number == 1 ? cached(home, key) : null;
      return cached != null
          ? work.apply(cached)
          : lookUp(home, key, deadline)
              .thenCompose(
                  entry ->
                      entry == null
                          ? CompletableFuture.failedFuture(missing.exception())
                          : work.apply(entry));
    }

    /**
     * Runs the next attempt. It runs on another thread than the engine's, because finding the name
     * may read the store.
     */
    private CompletableFuture<R> retry(Throwable failure, int number) {
      if (!isGone(failure)) {
        return CompletableFuture.failedFuture(Futures.cause(failure));
      }
      forget(home, CatalogEntryCodec.row(key));
      return number == ATTEMPTS_MAX
          ? CompletableFuture.failedFuture(busy())
          : CompletableFuture.completedFuture(number + 1).thenComposeAsync(this::attempt);
    }
  }

  private void forget(ServiceHome home, Bytes row) {
    cache.invalidate(home.partition().row(row));
  }

  private static boolean isGone(Throwable failure) {
    return Futures.cause(failure) instanceof StorageException e
        && e.kind() == StorageException.Kind.SPACE_GONE;
  }

  private static StorageException busy() {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, "the name is being dropped and created again");
  }
}
