package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Decides whether an answer may be given: not if its space was dropped, by this server or another.
 * Each home has an epoch that every drop raises. After a request has read or written its data, the
 * epoch is read before the answer is sent. If the epoch has changed since the space was last found
 * to exist, the row that would record its drop is read too. This needs neither clocks nor leases,
 * and a drop never waits. Never blocks. Thread-safe.
 */
public final class Homes {
  private final Rows rows;

  /**
   * True if the engine checks that a space exists while it reads the data. That is safe if the data
   * of a dropped space is kept long enough.
   */
  private final boolean inParallel;

  private final Map<Partition, Home> homes = new ConcurrentHashMap<>();

  public Homes(Rows rows, boolean inParallel) {
    this.rows = rows;
    this.inParallel = inParallel;
  }

  /** Reads, and gives the answer if the space was not dropped before this call. */
  public <T> CompletableFuture<T> reading(
      Space space, Deadline deadline, Supplier<CompletableFuture<T>> read) {
    CompletableFuture<T> answer = read.get();
    if (!inParallel) {
      return Steps.then(answer, value -> Steps.map(check(space, deadline), exists -> value));
    }
    CompletableFuture<Boolean> check = check(space, deadline);
    return Steps.then(answer, value -> Steps.map(check, exists -> value));
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

  /** Fails with {@code SPACE_GONE} if the space was dropped before this call. */
  private CompletableFuture<Boolean> check(Space space, Deadline deadline) {
    Partition partition = space.home();
    if (partition == null) {
      return CompletableFuture.completedFuture(true);
    }
    Home home = homes.computeIfAbsent(partition, this::home);
    return Steps.then(
        home.epoch.get(deadline),
        epoch ->
            home.isAlive(space.number(), epoch)
                ? CompletableFuture.completedFuture(true)
                : lookUp(home, partition, space, epoch, deadline));
  }

  private CompletableFuture<Boolean> lookUp(
      Home home, Partition partition, Space space, long epoch, Deadline deadline) {
    return Steps.map(
        rows.read(partition, OwnRows.dropped(space.number()), deadline),
        dropped -> {
          if (dropped.isRecord()) {
            throw DroppedSpaces.gone();
          }
          home.sawAlive(space.number(), epoch);
          return true;
        });
  }

  private Home home(Partition partition) {
    return new Home(
        new SharedRead<>(
            deadline -> Steps.map(rows.read(partition, OwnRows.EPOCH, deadline), OwnRows::decode)));
  }

  /** One home: the last epoch seen, and the spaces that existed at that epoch. */
  private static final class Home {
    private final SharedRead<Long> epoch;

    @GuardedBy("this")
    private long lastEpoch = -1;

    @GuardedBy("this")
    private final Set<Long> alive = new HashSet<>();

    Home(SharedRead<Long> epoch) {
      this.epoch = epoch;
    }

    synchronized boolean isAlive(long space, long seenEpoch) {
      return seenEpoch == lastEpoch && alive.contains(space);
    }

    /** Records that the space existed after the epoch was read. */
    synchronized void sawAlive(long space, long seenEpoch) {
      if (seenEpoch > lastEpoch) {
        lastEpoch = seenEpoch;
        alive.clear();
      }
      if (seenEpoch == lastEpoch) {
        alive.add(space);
      }
    }
  }
}
