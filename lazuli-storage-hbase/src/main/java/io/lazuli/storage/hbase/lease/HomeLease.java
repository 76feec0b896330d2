package io.lazuli.storage.hbase.lease;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One server's knowledge of one home: which spaces exist, and for how long that is certain. Mutable
 * and thread-safe. Does not block.
 *
 * <p>Each read of the home's record grants a lease. The lease counts from the moment when the read
 * was <em>sent</em>, because the answer may show nothing that happened later. A drop is announced
 * in the record before it is committed. The server that drops waits after the announcement for the
 * longest lease of any server and a margin. So a lease that does not list a space guarantees that
 * the space exists until the lease ends. An answer for that space may leave without another call if
 * the lease is still valid <em>after</em> the answer of the data's region has arrived. A server
 * that was paused reads the clock afterwards, and finds that its lease has ended.
 *
 * <p>Without such a lease, {@link #check} reads the record again, after the data. If the epoch is
 * the one at which the space was found to exist, it still existed after the data was read or
 * written. Otherwise the row that would record its drop is read.
 *
 * <p>A lease is renewed by requests: the first one that finds it older than a third of its length
 * begins a read and does not wait for it. See docs/decisions/0018-leases.md for the argument.
 */
public final class HomeLease {
  /**
   * An announcement that stays for this long is withdrawn. Longer than a drop takes; a drop that is
   * slower announces once more.
   */
  static final Duration ABANDONED_AFTER = Duration.ofSeconds(60);

  private static final CompletableFuture<Boolean> EXISTS = CompletableFuture.completedFuture(true);

  private final HomeStore store;
  private final long lengthNanos;
  private final LongSupplier nanoTime;

  private volatile @Nullable Lease lease;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Lease> running;

  /** The read after the running one, for callers that need a read which begins after their call. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<Lease> next;

  /** When this server first saw each announcement that is in the record. */
  @GuardedBy("this")
  private final Map<Announcement, Long> firstSeen = new HashMap<>();

  /**
   * The result of one read.
   *
   * @param announced the spaces whose drop was announced
   * @param alive the spaces that were found to exist at this epoch or later; grows
   */
  private record Lease(HomeRecord record, long sentNanos, Set<Long> announced, Set<Long> alive) {}

  /**
   * @param length how long a lease is valid; zero for none
   * @param nanoTime a clock that goes on while the process is paused
   */
  public HomeLease(HomeStore store, Duration length, LongSupplier nanoTime) {
    this.store = store;
    this.lengthNanos = length.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Renews the lease in the background if it has ended or will end soon. */
  public void prepare() {
    Lease known = lease;
    if (lengthNanos > 0
        && (known == null || nanoTime.getAsLong() - known.sentNanos > lengthNanos / 3)) {
      CompletableFuture<Lease> mine = new CompletableFuture<>();
      synchronized (this) {
        if (running != null) {
          return;
        }
        running = mine;
      }
      begin(mine);
    }
  }

  /**
   * Checks that a space exists. The caller has the data's answer already.
   *
   * @return a future that fails with {@code SPACE_GONE} if the space was dropped before this call
   */
  public CompletableFuture<Boolean> check(long space) {
    if (isCovered(space)) {
      return EXISTS;
    }
    @Nullable CompletableFuture<Lease> underWay = null;
    if (mayBeCovered(space)) {
      synchronized (this) {
        underWay = running;
      }
    }
    return underWay == null
        ? checkNow(space)
        : underWay
            .handle((answered, failure) -> isCovered(space))
            .thenCompose(covered -> covered ? EXISTS : checkNow(space));
  }

  /** Returns when this server first saw an announcement, which is now if it is new. */
  public synchronized long firstSeenNanos(Announcement announcement) {
    return firstSeen.computeIfAbsent(announcement, unseen -> nanoTime.getAsLong());
  }

  private boolean isCovered(long space) {
    Lease known = lease;
    return known != null
        && known.alive.contains(space)
        && !known.announced.contains(space)
        && nanoTime.getAsLong() - known.sentNanos < lengthNanos;
  }

  /** Returns true if the read that is under way may grant a lease that covers the space. */
  private boolean mayBeCovered(long space) {
    Lease known = lease;
    return lengthNanos > 0 && (known == null || !known.announced.contains(space));
  }

  private CompletableFuture<Boolean> checkNow(long space) {
    Lease known = lease;
    if (known != null && !known.alive.contains(space)) {
      return confirm(space, known);
    }
    return fresh()
        .thenCompose(
            answered -> answered.alive.contains(space) ? EXISTS : confirm(space, answered));
  }

  /** Reads whether the space was dropped, and remembers at the lease's epoch that it was not. */
  private CompletableFuture<Boolean> confirm(long space, Lease known) {
    return store
        .isDropped(space)
        .thenApply(
            dropped -> {
              if (dropped) {
                throw DroppedSpaces.gone();
              }
              known.alive.add(space);
              return true;
            });
  }

  /** Returns the result of a read that begins after this call. */
  private CompletableFuture<Lease> fresh() {
    CompletableFuture<Lease> mine;
    synchronized (this) {
      if (running != null) {
        if (next == null) {
          next = new CompletableFuture<>();
        }
        return next;
      }
      mine = new CompletableFuture<>();
      running = mine;
    }
    begin(mine);
    return mine;
  }

  private void begin(CompletableFuture<Lease> mine) {
    long sent = nanoTime.getAsLong();
    CompletableFuture<HomeRecord> unused =
        store.read().whenComplete((record, failure) -> end(mine, sent, record, failure));
  }

  /** Takes the answer of a read, begins the next one if callers wait for it, and completes. */
  private void end(
      CompletableFuture<Lease> mine,
      long sent,
      @Nullable HomeRecord record,
      @Nullable Throwable failure) {
    Lease taken = null;
    CompletableFuture<Lease> after;
    Set<Announcement> abandoned = Set.of();
    synchronized (this) {
      if (record != null) {
        taken = take(record, sent);
        abandoned = abandoned(record);
      }
      after = next;
      running = after;
      next = null;
    }
    if (after != null) {
      begin(after);
    }
    if (!abandoned.isEmpty()) {
      store.withdraw(abandoned);
    }
    if (taken != null) {
      mine.complete(taken);
    } else {
      mine.completeExceptionally(
          failure != null ? failure : new IllegalStateException("no record"));
    }
  }

  @GuardedBy("this")
  private Lease take(HomeRecord record, long sent) {
    Lease taken = new Lease(record, sent, record.announcedSpaces(), alive(lease, record));
    lease = taken;
    return taken;
  }

  /**
   * Returns the spaces that are known to exist. If something was dropped since the last read, these
   * are the spaces that the last lease covers. That lease must not have ended: a space that it does
   * not list cannot have been dropped before its end.
   */
  private Set<Long> alive(@Nullable Lease last, HomeRecord record) {
    if (last != null && last.record.epoch() == record.epoch()) {
      return last.alive;
    }
    Set<Long> alive = ConcurrentHashMap.newKeySet();
    if (last != null && nanoTime.getAsLong() - last.sentNanos < lengthNanos) {
      alive.addAll(last.alive);
      alive.removeAll(last.announced);
    }
    return alive;
  }

  /**
   * Returns the announcements that have been in the record for too long. Their server died, or will
   * have to announce again.
   */
  @GuardedBy("this")
  private Set<Announcement> abandoned(HomeRecord record) {
    long now = nanoTime.getAsLong();
    firstSeen.keySet().retainAll(Set.copyOf(record.announced()));
    record.announced().forEach(each -> firstSeen.putIfAbsent(each, now));
    Set<Announcement> abandoned =
        firstSeen.entrySet().stream()
            .filter(each -> now - each.getValue() > ABANDONED_AFTER.toNanos())
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    // If withdrawing fails, this server tries again after the same time.
    abandoned.forEach(each -> firstSeen.put(each, now));
    return abandoned;
  }
}
