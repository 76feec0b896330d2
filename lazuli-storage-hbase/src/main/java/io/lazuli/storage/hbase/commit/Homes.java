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
 * Knows which spaces are gone, also when another server dropped them. Each home has an epoch that
 * rises with every drop; a request is answered only after a read of the epoch that began after its
 * data was read or written, and that shows the epoch at which its space was last seen alive. No
 * clock and no lease: a drop waits for nobody. Safe for any number of threads; blocks.
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

  /** One home: the last epoch seen, and who was alive in it. */
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

    /** The space was alive after the epoch was read. */
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
