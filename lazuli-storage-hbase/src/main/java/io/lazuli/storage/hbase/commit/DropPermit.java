package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.lease.HomeRecord;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The drops that a transaction has announced, and when it may commit them. Mutable, used by one
 * thread at a time.
 */
final class DropPermit {
  private final LongSupplier nanoTime;
  private final Map<Announcement, Long> readyNanos = new HashMap<>();
  private Set<Announcement> used = Set.of();

  DropPermit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Permits a drop from a point in time on. */
  void add(Announcement announcement, long fromNanos) {
    readyNanos.put(announcement, fromNanos);
  }

  /**
   * Returns the record of the home after the drops.
   *
   * @throws NotAnnounced if a drop is not permitted yet. The announcement has to be the one that
   *     the transaction waited for: it may have been withdrawn and made again.
   */
  HomeRecord drop(HomeRecord record, Collection<Space> spaces) {
    used = Set.of();
    Set<Announcement> permitted = new HashSet<>();
    Set<Long> missing = new HashSet<>();
    for (Space space : spaces) {
      Announcement found = record.find(space.number());
      if (found != null && isReady(found)) {
        permitted.add(found);
      } else {
        missing.add(space.number());
      }
    }
    if (!missing.isEmpty()) {
      throw new NotAnnounced(missing);
    }
    used = permitted;
    return record.drop(permitted);
  }

  /** Records that an attempt drops nothing. */
  void dropNothing() {
    used = Set.of();
  }

  /** Returns the announcements that the last attempt did not need. */
  Set<Announcement> unused() {
    Set<Announcement> unused = new HashSet<>(readyNanos.keySet());
    unused.removeAll(used);
    return unused;
  }

  private boolean isReady(Announcement announcement) {
    Long ready = readyNanos.get(announcement);
    return ready != null && nanoTime.getAsLong() - ready >= 0;
  }
}
