package io.lazuli.server.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Maps names to spaces for every service: creation, drop, cache, second look.
 *
 * <p>Names that exist are cached for at most an hour, names that do not are never cached. A cached
 * name may be stale: the engine then answers {@code SPACE_GONE}, the name is forgotten and looked
 * up again, and the work is done once more on what is found. So nothing is ever acknowledged into a
 * space that was dropped before the request began.
 */
public final class Catalog {
  /** Shorter than the day for which engines remember a drop. */
  private static final Duration CACHED_MAX = Duration.ofHours(1);

  private static final int CACHED_NAMES_MAX = 100_000;

  /** A name that is dropped and made anew during each of this many looks is busy indeed. */
  private static final int LOOKS_MAX = 5;

  private final StorageEngine engine;
  private final Cache<RecordKey, CatalogEntry> cache =
      Caffeine.newBuilder().maximumSize(CACHED_NAMES_MAX).expireAfterWrite(CACHED_MAX).build();

  public Catalog(StorageEngine engine) {
    this.engine = engine;
  }

  /** Finds a name by its key (lower case); null if there is none. */
  public @Nullable CatalogEntry find(ServiceHome home, String key, Deadline deadline) {
    RecordKey row = home.partition().row(CatalogEntryCodec.row(key));
    CatalogEntry cached = cache.getIfPresent(row);
    if (cached != null) {
      return cached;
    }
    byte[] value = engine.read(row, deadline);
    if (value == null) {
      return null;
    }
    CatalogEntry entry = CatalogEntryCodec.decode(home.partition(), value);
    cache.put(row, entry);
    return entry;
  }

  /** Makes a name that stands for a new space; false if it exists. */
  public CompletableFuture<Boolean> create(
      ServiceHome home, String key, String name, Deadline deadline) {
    Bytes row = CatalogEntryCodec.row(key);
    byte[] value = CatalogEntryCodec.encode(engine.newSpace(home.kind()), name);
    return engine.transact(
        home.partition(),
        List.of(row),
        deadline,
        view -> {
          if (view.read(row) != null) {
            return false;
          }
          view.put(row, value.clone());
          return true;
        });
  }

  /** Removes a name and drops its space, whatever its size; false if there is none. */
  public CompletableFuture<Boolean> delete(ServiceHome home, String key, Deadline deadline) {
    return delete(home.partition(), CatalogEntryCodec.row(key), deadline);
  }

  private CompletableFuture<Boolean> delete(Partition partition, Bytes row, Deadline deadline) {
    return engine
        .transact(
            partition,
            List.of(row),
            deadline,
            view -> {
              byte[] value = view.read(row);
              if (value == null) {
                return false;
              }
              view.delete(row);
              view.drop(CatalogEntryCodec.decode(partition, value).space());
              return true;
            })
        .whenComplete((deleted, failure) -> cache.invalidate(partition.row(row)));
  }

  /**
   * Removes names of a home and drops their spaces, and its properties with the last; blocks.
   *
   * @param namesMax at most this many at a time
   * @return true if nothing was left to remove
   */
  public boolean clear(ServiceHome home, int namesMax, Deadline deadline) {
    List<Bytes> names = new ArrayList<>();
    scanNames(
        home,
        "",
        deadline,
        record -> {
          names.add(Bytes.of(record.row().copy()));
          return names.size() < namesMax ? Visit.CONTINUE : Visit.STOP;
        });
    CompletableFuture<?>[] deletions =
        names.stream()
            .map(row -> delete(home.partition(), row, deadline))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(deletions).join();
    if (names.isEmpty() && properties(home, deadline) != null) {
      engine.transact(home.partition(), List.of(), deadline, Catalog::removeProperties).join();
    }
    return names.isEmpty();
  }

  private static boolean removeProperties(PartitionView view) {
    view.delete(CatalogEntryCodec.PROPERTIES);
    return true;
  }

  /**
   * The stored access policies of a name, as their owner encoded them. Always read from the store,
   * never cached: a policy that was taken away must not serve once more.
   *
   * @return empty if there are none; null if there is no such name
   */
  public byte @Nullable [] policies(ServiceHome home, String key, Deadline deadline) {
    byte[] value = engine.read(home.partition().row(CatalogEntryCodec.row(key)), deadline);
    return value == null ? null : CatalogEntryCodec.policies(value);
  }

  /** Sets the stored access policies of a name; false if there is no such name. */
  public CompletableFuture<Boolean> replacePolicies(
      ServiceHome home, String key, byte[] policies, Deadline deadline) {
    Bytes row = CatalogEntryCodec.row(key);
    return engine.transact(
        home.partition(),
        List.of(row),
        deadline,
        view -> {
          byte[] value = view.read(row);
          if (value == null) {
            return false;
          }
          view.put(row, CatalogEntryCodec.withPolicies(value, policies));
          return true;
        });
  }

  /** The properties of a service, as their owner encoded them; null if none were set. */
  public byte @Nullable [] properties(ServiceHome home, Deadline deadline) {
    return engine.read(home.partition().row(CatalogEntryCodec.PROPERTIES), deadline);
  }

  /**
   * Changes the properties of a service.
   *
   * @param change from the old value, null if there is none, to the new one; may run several times
   * @return the new value
   */
  public CompletableFuture<byte[]> changeProperties(
      ServiceHome home, Function<byte @Nullable [], byte[]> change, Deadline deadline) {
    Bytes row = CatalogEntryCodec.PROPERTIES;
    return engine.transact(
        home.partition(),
        List.of(row),
        deadline,
        view -> {
          byte[] value = change.apply(view.read(row));
          view.put(row, value.clone());
          return value;
        });
  }

  /** Shows the names of a home in the order of their keys, until the visitor says false. */
  public void list(
      ServiceHome home, String fromKey, Deadline deadline, Predicate<CatalogEntry> visitor) {
    scanNames(
        home,
        fromKey,
        deadline,
        record -> {
          CatalogEntry entry = CatalogEntryCodec.decode(home.partition(), record.value().copy());
          return visitor.test(entry) ? Visit.CONTINUE : Visit.STOP;
        });
  }

  private void scanNames(
      ServiceHome home, String fromKey, Deadline deadline, RecordVisitor visitor) {
    Bytes partition = home.partition().name();
    KeyRange names =
        new KeyRange(
            new Position(partition, CatalogEntryCodec.row(fromKey)),
            new Position(partition, CatalogEntryCodec.NAMES_END));
    engine.scan(Space.CATALOGUE, List.of(names), Direction.FORWARD, deadline, visitor);
  }

  /**
   * Does work on the space that a name stands for, and once more on the next one if it was dropped
   * meanwhile.
   *
   * @return what the work gives; null if there is no such name
   */
  public <R> @Nullable R reading(
      ServiceHome home, String key, Deadline deadline, Function<CatalogEntry, R> work) {
    for (int look = 1; look <= LOOKS_MAX; look++) {
      CatalogEntry entry = find(home, key, deadline);
      if (entry == null) {
        return null;
      }
      try {
        return work.apply(entry);
      } catch (StorageException e) {
        forgetIfGone(home, key, e);
      }
    }
    throw busy();
  }

  /**
   * As {@link #reading}, for work that ends later.
   *
   * @param missing what it ends with if there is no such name
   */
  public <R> CompletableFuture<R> writing(
      ServiceHome home,
      String key,
      Deadline deadline,
      ServiceError missing,
      Function<CatalogEntry, CompletableFuture<R>> work) {
    return new Writing<>(home, key, deadline, missing, work).look(1);
  }

  /** Work on a name, as often as the name turns out to stand for something else by now. */
  private final class Writing<R> {
    private final ServiceHome home;
    private final String key;
    private final Deadline deadline;
    private final ServiceError missing;
    private final Function<CatalogEntry, CompletableFuture<R>> work;

    Writing(
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

    CompletableFuture<R> look(int number) {
      CatalogEntry entry = find(home, key, deadline);
      return entry == null
          ? CompletableFuture.failedFuture(missing.exception())
          : work.apply(entry).exceptionallyComposeAsync(failure -> again(failure, number));
    }

    /** Off the engine's thread, because looking reads. */
    private CompletableFuture<R> again(Throwable failure, int number) {
      if (!isGone(failure)) {
        return CompletableFuture.failedFuture(unwrap(failure));
      }
      cache.invalidate(home.partition().row(CatalogEntryCodec.row(key)));
      return number == LOOKS_MAX ? CompletableFuture.failedFuture(busy()) : look(number + 1);
    }
  }

  private void forgetIfGone(ServiceHome home, String key, StorageException e) {
    if (!isGone(e)) {
      throw e;
    }
    cache.invalidate(home.partition().row(CatalogEntryCodec.row(key)));
  }

  private static boolean isGone(Throwable failure) {
    return unwrap(failure) instanceof StorageException e
        && e.kind() == StorageException.Kind.SPACE_GONE;
  }

  private static Throwable unwrap(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static StorageException busy() {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, "the name is being dropped and made again");
  }
}
