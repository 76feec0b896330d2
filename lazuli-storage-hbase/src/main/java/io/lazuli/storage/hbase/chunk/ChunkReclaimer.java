package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.chunk.ChunkTombstones.Tombstone;
import io.lazuli.storage.hbase.commit.ClusterClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;

/**
 * Removes the cells of deleted chunks after a grace period, in which open readers can finish. Every
 * step is idempotent. Used by one background thread, which waits for the cluster.
 */
final class ChunkReclaimer {
  private static final int TOMBSTONES_PER_STEP_MAX = 100;

  /**
   * After this many cells, a step begins no further chunk. A chunk is never divided between steps.
   */
  private static final long CELLS_PER_STEP_MAX = 10_000;

  private static final int DELETES_AT_ONCE = 1_000;

  /** The number of cells that a paused writer may have sent after its chunk was deleted. */
  private static final int LATE_CELLS = HBaseChunkWriter.IN_FLIGHT_MAX + 1;

  private final ChunkDirectory directory;
  private final ChunkTombstones tombstones;
  private final ChunkCells cells;
  private final ChunkRows rows;
  private final ClusterClock clock;
  private final Duration grace;

  ChunkReclaimer(
      ChunkDirectory directory,
      ChunkTombstones tombstones,
      ChunkCells cells,
      ChunkRows rows,
      ClusterClock clock,
      Duration grace) {
    this.directory = directory;
    this.tombstones = tombstones;
    this.cells = cells;
    this.rows = rows;
    this.clock = clock;
    this.grace = grace;
  }

  /**
   * Removes some of the cells that are due. It does not remove all of them in one call, because the
   * thread has other work.
   *
   * @return true if there may be more
   */
  boolean step() {
    long due = clock.cellMillis() - grace.toMillis();
    List<Tombstone> some = new ArrayList<>();
    List<Delete> deletes = new ArrayList<>();
    long count = 0;
    for (Tombstone tombstone : Steps.await(tombstones.oldest(TOMBSTONES_PER_STEP_MAX, limit()))) {
      if (tombstone.millis() > due || count > CELLS_PER_STEP_MAX) {
        break;
      }
      some.add(tombstone);
      count += collect(tombstone, deletes);
    }
    Steps.await(rows.deleteAll(deletes, limit()));
    removeHeaders(some);
    Steps.await(tombstones.remove(some, limit()));
    return !some.isEmpty();
  }

  /**
   * Removes headers that a server left when it died between writing the tombstone and removing the
   * header.
   */
  private void removeHeaders(List<Tombstone> some) {
    List<ChunkRef> refs = some.stream().map(Tombstone::ref).toList();
    Steps.await(
        Steps.then(directory.find(refs, limit()), found -> directory.remove(found, limit())));
  }

  /**
   * Adds the deletes for the cells of a chunk. Whenever the list reaches a full batch, sends it and
   * clears the list.
   *
   * @return the number of cells
   */
  private long collect(Tombstone tombstone, List<Delete> deletes) {
    long count =
        tombstone.length().isPresent()
            ? ChunkCells.count(tombstone.length().getAsLong())
            : Steps.await(cells.count(tombstone.ref(), limit())) + LATE_CELLS;
    for (long i = 0; i < count; i++) {
      deletes.add(cells.delete(tombstone.ref(), i, tombstone.cellMillis()));
      if (deletes.size() == DELETES_AT_ONCE) {
        Steps.await(rows.deleteAll(deletes, limit()));
        deletes.clear();
      }
    }
    return count;
  }

  private static Deadline limit() {
    return Deadline.after(ChunkRows.TIMEOUT);
  }
}
