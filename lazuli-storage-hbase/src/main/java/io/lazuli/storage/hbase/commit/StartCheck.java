package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Rows;
import java.util.List;
import org.apache.hadoop.hbase.client.Durability;

/**
 * Shows before the first request that the cluster keeps the one promise everything rests on: a
 * batch whose conditions hold is carried out, one whose conditions do not is refused.
 */
public final class StartCheck {
  /** In the store's own partition: written by every server that starts. */
  private static final Bytes ROW = Bytes.of(new byte[] {0, 'k'});

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

  /** Refuses a cluster on which conditional batches do not work. */
  public void run(Attempts attempts, Deadline deadline) {
    TransactionView stale = new TransactionView(1, OwnRows.STORE, rows, scan, clock, deadline);
    stale.condition(ROW);
    stale.putOwn(ROW, new byte[1]);
    attempts.run(
        OwnRows.STORE,
        List.of(),
        deadline,
        view -> {
          view.condition(ROW);
          view.putOwn(ROW, new byte[1]);
          return true;
        },
        () -> {});
    Commit late = new Commit(stale, clock, 0, Durability.SYNC_WAL);
    if (committer.commit(late, deadline)) {
      throw new EngineOpenException(
          "the cluster carries out batches whose conditions do not hold: HBase 2.4 or newer is"
              + " needed, and its MultiRowMutationEndpoint",
          null);
    }
  }
}
