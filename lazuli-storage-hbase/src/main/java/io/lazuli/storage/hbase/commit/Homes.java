package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.lease.HomeLease;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Decides whether an answer may be given: not if its space was dropped, by this server or another.
 * A lease of the space's home decides most answers without a call ({@link HomeLease}). Drops are
 * announced here, so that no lease covers a space at the moment when it is dropped. Never blocks.
 * Thread-safe.
 */
public final class Homes {
  /** A drop waits longer than the longest lease by this part of it, because clocks differ. */
  private static final int MARGIN_DIVISOR = 4;

  private final Rows rows;
  private final Attempts attempts;
  private final Duration length;
  private final LongSupplier nanoTime;
  private final Map<Partition, Home> homes = new ConcurrentHashMap<>();

  private record Home(StoredHome stored, HomeLease lease) {}

  /**
   * @param length how long this server's leases are valid; zero for none
   */
  public Homes(Rows rows, Attempts attempts, Duration length, LongSupplier nanoTime) {
    this.rows = rows;
    this.attempts = attempts;
    this.length = length;
    this.nanoTime = nanoTime;
  }

  /**
   * Records the length of this server's leases for the drops of other servers. This comes before
   * the first lease.
   */
  public CompletableFuture<Boolean> recordLength(Deadline deadline) {
    return attempts.run(
        OwnRows.STORE,
        deadline,
        view -> {
          if (OwnRows.decode(view.condition(OwnRows.LONGEST_LEASE)) < length.toMillis()) {
            view.putOwn(OwnRows.LONGEST_LEASE, OwnRows.encode(length.toMillis()));
          }
          return true;
        });
  }

  /** Reads, and gives the answer if the space was not dropped before the read. */
  public <T> CompletableFuture<T> reading(
      Space space, Deadline deadline, Supplier<CompletableFuture<T>> read) {
    prepare(space);
    return Steps.then(read.get(), value -> Steps.map(check(space, deadline), exists -> value));
  }

  /** Returns whether a space exists at a moment after this call began. */
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    prepare(space);
    CompletableFuture<Boolean> check = check(space, deadline);
    return check.isDone() && !check.isCompletedExceptionally()
        ? check
        : Steps.rescue(
            check,
            failure ->
                failure instanceof StorageException known
                        && known.kind() == StorageException.Kind.SPACE_GONE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /** Begins a write: renews the lease in the background if that will be useful. */
  void prepare(Space space) {
    Partition partition = space.home();
    if (partition != null) {
      home(partition).lease.prepare();
    }
  }

  /**
   * Ends a write that was committed. It is acknowledged only if its space still existed after the
   * commit.
   */
  CompletableFuture<Boolean> written(Space space, Deadline deadline) {
    return Steps.rescue(
        check(space, deadline),
        failure ->
            CompletableFuture.failedFuture(
                failure instanceof StorageException known
                        && known.kind() != StorageException.Kind.SPACE_GONE
                    ? new StorageException(
                        StorageException.Kind.UNKNOWN_OUTCOME,
                        "it is not known whether the space still exists",
                        failure)
                    : failure));
  }

  /**
   * Announces drops and permits them from the time on when no lease covers their spaces any more.
   *
   * @return the time to wait
   */
  CompletableFuture<Duration> announce(
      Partition partition, Set<Long> spaces, Deadline deadline, DropPermit permit) {
    Home home = home(partition);
    return Steps.then(
        home.stored.announce(spaces, deadline),
        announced -> {
          // The wait begins now, and the length is read afterwards: a server that takes longer
          // leases has recorded their length before, or will see the announcement.
          long seen =
              announced.stream()
                  .mapToLong(home.lease::firstSeenNanos)
                  .reduce((one, other) -> other - one > 0 ? other : one)
                  .orElseGet(nanoTime);
          return Steps.map(
              rows.read(OwnRows.STORE, OwnRows.LONGEST_LEASE, deadline),
              longest -> {
                long ready = seen + waitNanos(OwnRows.decode(longest));
                announced.forEach(each -> permit.add(each, ready));
                return requireTime(Duration.ofNanos(ready - nanoTime.getAsLong()), deadline);
              });
        });
  }

  void withdraw(Partition partition, Set<Announcement> announcements) {
    home(partition).stored.withdraw(announcements);
  }

  /** Fails with {@code SPACE_GONE} if the space was dropped before this call. */
  private CompletableFuture<Boolean> check(Space space, Deadline deadline) {
    Partition partition = space.home();
    if (partition == null) {
      return CompletableFuture.completedFuture(true);
    }
    return RegionCalls.within(
        home(partition).lease.check(space.guard()),
        deadline,
        "the home of the space does not answer");
  }

  private static long waitNanos(long longestMillis) {
    return Duration.ofMillis(longestMillis).plusMillis(longestMillis / MARGIN_DIVISOR).toNanos();
  }

  private static Duration requireTime(Duration wait, Deadline deadline) {
    if (wait.compareTo(deadline.remaining()) > 0) {
      throw new StorageException(
          StorageException.Kind.TIMEOUT, "a drop takes longer than the request may");
    }
    return wait;
  }

  private Home home(Partition partition) {
    Home known = homes.get(partition);
    return known != null ? known : homes.computeIfAbsent(partition, this::newHome);
  }

  private Home newHome(Partition partition) {
    StoredHome stored = new StoredHome(rows, attempts, partition);
    return new Home(stored, new HomeLease(stored, length, nanoTime));
  }
}
