package io.lazuli.storage.hbase.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.hbase.call.Rows;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out whether a space was dropped, by this server or another. Each home has an epoch that
 * every drop raises. After a request has read or written its data, the epoch is read before the
 * answer is sent. If the epoch has changed since the space was last found to exist, the row that
 * would record its drop is read too. This needs neither clocks nor leases, and a drop never waits.
 * Thread-safe. Blocks.
 */
public final class Homes {
  private final Rows rows;
  private final Map<Partition, Home> homes = new ConcurrentHashMap<>();

  public Homes(Rows rows) {
    this.rows = rows;
  }

  /** Throws {@code SPACE_GONE} if the space was dropped before this call. */
  public void check(Space space, Deadline deadline) {
    Partition partition = space.home();
    if (partition == null) {
      return;
    }
    Home home = homes.computeIfAbsent(partition, this::home);
    long epoch = home.epoch.get(deadline);
    if (home.isAlive(space.number(), epoch)) {
      return;
    }
    if (rows.read(partition, OwnRows.dropped(space.number()), deadline).isRecord()) {
      throw DroppedSpaces.gone();
    }
    home.sawAlive(space.number(), epoch);
  }

  private Home home(Partition partition) {
    return new Home(
        new SharedRead<>(
            deadline -> OwnRows.decode(rows.read(partition, OwnRows.EPOCH, deadline))));
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
