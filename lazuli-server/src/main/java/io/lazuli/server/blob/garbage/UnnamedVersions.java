package io.lazuli.server.blob.garbage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Partition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Remembers which versions of which blobs were found unnamed, so that they are kept for a while for
 * readers on other servers. Mutable, thread-safe.
 *
 * <p>A version that has lost its name never gets one again. So a version that two checks, a grace
 * period apart, found unnamed has been unnamed for that whole time. A reader that opened it while
 * it was named had at least the grace period to finish.
 */
final class UnnamedVersions {
  /**
   * The result of the last check of a partition.
   *
   * @param nextTicks the time from which the next check may remove something
   * @param versions the versions that were unnamed
   */
  private record Check(long nextTicks, Set<Long> versions) {}

  private final long graceTicks;
  private final int versionsMax;

  @GuardedBy("this")
  private final Map<Partition, Check> checks = new HashMap<>();

  /** The number of versions in all checks, plus the number of checks. */
  @GuardedBy("this")
  private int remembered;

  UnnamedVersions(long graceTicks, int versionsMax) {
    this.graceTicks = graceTicks;
    this.versionsMax = versionsMax;
  }

  /**
   * Records which versions a check found unnamed.
   *
   * @param now the time when the check was over
   * @return the versions that may be removed: the previous check found them unnamed, too
   */
  synchronized Set<Long> removable(Partition partition, Set<Long> unnamed, long now) {
    Check last = checks.get(partition);
    boolean early = last != null && now < last.nextTicks();
    if (early || (last == null && isFull())) {
      return Set.of();
    }
    put(partition, new Check(now + graceTicks, Set.copyOf(unnamed)));
    Set<Long> removable = new HashSet<>(unnamed);
    removable.retainAll(last == null ? Set.of() : last.versions());
    return removable;
  }

  /** Lets the next check remove versions whose removal failed, without waiting again. */
  synchronized void restore(Partition partition, Set<Long> removable) {
    put(partition, new Check(0, Set.copyOf(removable)));
  }

  /** Forgets a partition in which nothing is unnamed any more. */
  synchronized void forget(Partition partition) {
    Check last = checks.remove(partition);
    remembered -= last == null ? 0 : last.versions().size() + 1;
  }

  private synchronized void put(Partition partition, Check check) {
    forget(partition);
    checks.put(partition, check);
    remembered += check.versions().size() + 1;
  }

  /** Returns true if a check would remove nothing yet; {@link #due} returns the partition later. */
  synchronized boolean isKept(Partition partition, long now) {
    Check last = checks.get(partition);
    return last != null && now < last.nextTicks();
  }

  /** Returns the partitions whose next check may remove something. */
  synchronized List<Partition> due(long now) {
    return checks.entrySet().stream()
        .filter(check -> check.getValue().nextTicks() <= now)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the partitions of which something is remembered. */
  synchronized Set<Partition> partitions() {
    return Set.copyOf(checks.keySet());
  }

  /** Returns true if no further partition can be remembered. */
  synchronized boolean isFull() {
    return remembered >= versionsMax;
  }
}
