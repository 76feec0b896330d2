package io.lazuli.server.blob.garbage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Partition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which versions of which blobs were seen without a name, so that they are left for a while to
 * those who read them through another server. Mutable, safe for any thread.
 *
 * <p>A version that lost its name never gets one again. So one that two looks found without, a rest
 * apart, has had none for as long: whoever began to read it while it had one was given that time.
 */
final class UnnamedVersions {
  /**
   * What the last look saw.
   *
   * @param nextTicks from when on a look may remove something
   */
  private record Look(long nextTicks, Set<Long> versions) {}

  private final long restTicks;
  private final int versionsMax;

  @GuardedBy("this")
  private final Map<Partition, Look> looks = new HashMap<>();

  /** Those of all looks, and one for each look. */
  @GuardedBy("this")
  private int remembered;

  UnnamedVersions(long restTicks, int versionsMax) {
    this.restTicks = restTicks;
    this.versionsMax = versionsMax;
  }

  /**
   * Takes in what a look found.
   *
   * @param now when the look was over
   * @return those that may be removed
   */
  synchronized Set<Long> seen(Partition partition, Set<Long> unnamed, long now) {
    Look last = looks.get(partition);
    boolean early = last != null && now < last.nextTicks();
    if (early || (last == null && isFull())) {
      return Set.of();
    }
    put(partition, new Look(now + restTicks, Set.copyOf(unnamed)));
    Set<Long> rested = new HashSet<>(unnamed);
    rested.retainAll(last == null ? Set.of() : last.versions());
    return rested;
  }

  /** These could not be removed; the next look may, and need not wait. */
  synchronized void restore(Partition partition, Set<Long> rested) {
    put(partition, new Look(0, Set.copyOf(rested)));
  }

  /** Nothing is left there. */
  synchronized void forget(Partition partition) {
    Look last = looks.remove(partition);
    remembered -= last == null ? 0 : last.versions().size() + 1;
  }

  private synchronized void put(Partition partition, Look look) {
    forget(partition);
    looks.put(partition, look);
    remembered += look.versions().size() + 1;
  }

  /** True if a look would remove nothing yet; the partition will be among those {@link #due}. */
  synchronized boolean isResting(Partition partition, long now) {
    Look last = looks.get(partition);
    return last != null && now < last.nextTicks();
  }

  /** Partitions that can be looked at again. */
  synchronized List<Partition> due(long now) {
    return looks.entrySet().stream()
        .filter(look -> look.getValue().nextTicks() <= now)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** True if no other partition can be remembered. */
  synchronized boolean isFull() {
    return remembered >= versionsMax;
  }
}
