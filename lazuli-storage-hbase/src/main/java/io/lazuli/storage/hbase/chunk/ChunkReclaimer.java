package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.chunk.ChunkTombstones.Tombstone;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.CutRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.jspecify.annotations.Nullable;

/**
 * Removes the bytes of deleted chunks after a grace period, in which open readers can finish. Every
 * step is idempotent. Used by one background thread, which waits for the cluster.
 *
 * <p>A cut needs the files of the chunks that it shows until it is closed. So no file is removed
 * while there is one. A cut shows no chunk whose tombstone is older than the cut.
 */
final class ChunkReclaimer {
  static final int TOMBSTONES_PER_STEP_MAX = 100;

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
  private final FileReclaim files;
  private final CutRow cut;
  private final ChunkRows rows;
  private final ClusterClock clock;
  private final Duration grace;

  /** The last tombstone that stayed in this pass; the next step begins after it. */
  private @Nullable Tombstone stayed;

  ChunkReclaimer(
      ChunkDirectory directory,
      ChunkTombstones tombstones,
      ChunkCells cells,
      FileReclaim files,
      CutRow cut,
      ChunkRows rows,
      ClusterClock clock,
      Duration grace) {
    this.directory = directory;
    this.tombstones = tombstones;
    this.cells = cells;
    this.files = files;
    this.cut = cut;
    this.rows = rows;
    this.clock = clock;
    this.grace = grace;
  }

  /**
   * Removes some of the bytes that are due. It does not remove all of them in one call, because the
   * thread has other work. The tombstone of a file that cannot be removed stays until the next
   * pass, and the others are removed.
   *
   * @return true if there may be more
   */
  boolean step() {
    long due = clock.cellMillis() - grace.toMillis();
    List<Tombstone> oldest =
        Steps.await(tombstones.oldest(stayed, TOMBSTONES_PER_STEP_MAX, limit())).stream()
            .takeWhile(one -> one.millis() <= due)
            .toList();
    if (oldest.isEmpty()) {
      stayed = null;
      files.passEnded();
      return false;
    }
    if (oldest.stream().anyMatch(files::removes) && Steps.await(cut.isTaken())) {
      return false;
    }
    List<Tombstone> some = new ArrayList<>();
    List<Delete> deletes = new ArrayList<>();
    long count = 0;
    files.stepBegins();
    for (Tombstone tombstone : oldest) {
      if (count > CELLS_PER_STEP_MAX || files.areAway()) {
        break;
      }
      if (files.remove(tombstone)) {
        some.add(tombstone);
        count += tombstone.inFile() ? 0 : collect(tombstone, deletes);
      } else {
        stayed = tombstone;
      }
    }
    Steps.await(rows.deleteAll(deletes, limit()));
    removeHeaders(some);
    Steps.await(tombstones.remove(some, limit()));
    return !files.areAway();
  }

  /** Returns why files stay; empty if nothing is wrong. */
  String fault() {
    return files.fault();
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
