package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import java.util.List;
import org.apache.hadoop.hbase.client.Durability;

/**
 * Checks before the first request that conditional batches work: the cluster must carry out a batch
 * whose conditions hold and refuse one whose conditions do not. Everything else relies on this.
 */
public final class StartCheck {
  /** A row in the partition of the store, which every starting server writes. */
  private static final Bytes ROW = Bytes.of(new byte[] {0, 'k'});

  private static final int TRIES = 5;

  private final Rows rows;
  private final RegionScan scan;
  private final Committer committer;
  private final ClusterClock clock;

  public StartCheck(Rows rows, RegionScan scan, Committer committer, ClusterClock clock) {
    this.rows = rows;
    this.scan = scan;
    this.committer = committer;
    this.clock = clock;
  }

  /**
   * Throws if conditional batches do not work. A lost answer says nothing about that, so the check
   * begins again after one: a region may move while the server starts.
   */
  public void run(Attempts attempts, Deadline deadline) {
    for (int left = TRIES; left > 0; left--) {
      try {
        tryOnce(attempts, deadline);
        return;
      } catch (StorageException e) {
        if (e.kind() != StorageException.Kind.UNKNOWN_OUTCOME || left == 1) {
          throw e;
        }
      }
    }
  }

  private void tryOnce(Attempts attempts, Deadline deadline) {
    Fetched fetched = new Fetched(OwnRows.STORE, rows, scan, deadline);
    Steps.await(fetched.fetch(List.of(ROW)));
    TransactionView stale = new TransactionView(1, fetched, clock);
    stale.condition(ROW);
    stale.putOwn(ROW, new byte[1]);
    Steps.await(
        attempts.run(
            OwnRows.STORE,
            deadline,
            view -> {
              view.condition(ROW);
              view.putOwn(ROW, new byte[1]);
              return true;
            }));
    Commit late = new Commit(stale, clock, 0, Durability.SYNC_WAL);
    if (Steps.await(committer.commit(late, deadline, true))) {
      throw new EngineOpenException(
          "the cluster carries out batches whose conditions do not hold: it needs HBase 2.4 or"
              + " newer with MultiRowMutationEndpoint",
          null);
    }
  }
}
