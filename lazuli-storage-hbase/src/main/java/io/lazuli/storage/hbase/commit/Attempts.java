package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Durability;

/**
 * Runs a transaction to its end on the calling thread. An attempt runs the body and then commits
 * its changes. If the commit is refused because another transaction was faster, the thread waits
 * for a random time and tries again. Thread-safe. Blocks.
 */
public final class Attempts {
  private static final int ATTEMPTS_MAX = 100;
  private static final int WAIT_MILLIS_MAX = 64;

  private final Rows rows;
  private final RegionScan scan;
  private final Committer committer;
  private final ClusterClock clock;
  private final Durability durability;
  private final WriteIds ids = new WriteIds();
  private final LongAdder conflicts = new LongAdder();
  private final ClusterHealth health = new ClusterHealth(System::nanoTime);

  public Attempts(
      Rows rows, RegionScan scan, Committer committer, ClusterClock clock, Durability durability) {
    this.rows = rows;
    this.scan = scan;
    this.committer = committer;
    this.clock = clock;
    this.durability = durability;
  }

  /**
   * Returns how many commits were refused because another transaction had written the same records.
   */
  public long conflicts() {
    return conflicts.sum();
  }

  /** Returns the reason why the cluster counts as unavailable; empty if it is available. */
  public String fault() {
    return health.fault();
  }

  /**
   * Runs a body until it is committed.
   *
   * @param onConflict runs after each refused commit
   */
  public <R> R run(
      Partition partition,
      List<Bytes> touch,
      Deadline deadline,
      Function<TransactionView, R> body,
      Runnable onConflict) {
    try {
      R result = repeat(partition, touch, deadline, body, onConflict);
      health.succeeded();
      return result;
    } catch (StorageException e) {
      health.failed(e);
      throw e;
    }
  }

  private <R> R repeat(
      Partition partition,
      List<Bytes> touch,
      Deadline deadline,
      Function<TransactionView, R> body,
      Runnable onConflict) {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      deadline.check();
      TransactionView view = new TransactionView(attempt, partition, rows, scan, clock, deadline);
      view.prefetch(touch);
      R result = body.apply(view);
      view.close();
      if (commit(view)) {
        return result;
      }
      conflicts.increment();
      onConflict.run();
      waitAfter(attempt);
    }
    throw new StorageException(
        StorageException.Kind.UNAVAILABLE, "too many other transactions write to the same records");
  }

  private boolean commit(TransactionView view) {
    recordDrops(view);
    if (!view.table().keysNeverRecur()) {
      List<Bytes> changed = new ArrayList<>(view.changes().keySet());
      view.find(changed);
      view.conditions().addAll(changed);
    }
    Commit commit = new Commit(view, clock, ids.next(), durability);
    if (!commit.changesNothing()) {
      return committer.commit(commit, view.deadline());
    }
    // Nothing is written. A single row was read at one point in time. Several rows may have been
    // read at different times, so they are checked together.
    return commit.conditions().size() < 2 || committer.holds(commit, view.deadline());
  }

  /**
   * Adds the dropped spaces to the commit and raises the epoch, from which all servers learn of the
   * drop.
   */
  private void recordDrops(TransactionView view) {
    if (view.drops().isEmpty()) {
      return;
    }
    for (Space space : view.drops()) {
      view.putOwn(OwnRows.dropped(space.number()), OwnRows.encode(clock.cellMillis()));
    }
    long epoch = OwnRows.decode(view.condition(OwnRows.EPOCH));
    view.putOwn(OwnRows.EPOCH, OwnRows.encode(epoch + 1));
  }

  private static void waitAfter(int attempt) {
    int bound = attempt <= 6 ? 1 << (attempt - 1) : WAIT_MILLIS_MAX;
    RegionCalls.pause(Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, bound + 2)));
  }
}
