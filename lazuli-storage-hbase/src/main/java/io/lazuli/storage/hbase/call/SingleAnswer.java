package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Collects a page that comes in one answer, from a scan without a filter and without metrics, which
 * is the cheapest for the server. One answer comes from one scanner, so the page is as of one point
 * in time. Tombstones are left out here. The page is unfit if a second answer is needed, or if
 * tombstones took the place of too many records; {@link PageConsumer} must then read it again. Used
 * by one thread of the library at a time.
 */
final class SingleAnswer implements AdvancedScanResultConsumer {
  /** Stands for a page that must be read again: no other page makes no progress. */
  static final RegionScan.Page UNFIT = new RegionScan.Page(List.of(), false, null);

  /** With more tombstones than one of so many cells, a filter is cheaper. */
  private static final int CELLS_PER_TOMBSTONE = 8;

  private final PageConsumer.Limits limits;
  private final boolean snapshot;
  private final boolean forward;
  private final @Nullable Bytes edge;
  private final Runnable onManyTombstones;
  private final List<Cell> records = new ArrayList<>();
  private final CompletableFuture<RegionScan.Page> page = new CompletableFuture<>();
  private @Nullable Cell last;
  private int cells;
  private long bytes;
  private boolean answered;

  /**
   * @param snapshot true if all records that the caller asked for must come from one point in time
   * @param edge the border of the region at which the page ends; null if the scan ends in the
   *     region
   * @param onManyTombstones runs if a filter would have been cheaper
   */
  SingleAnswer(
      PageConsumer.Limits limits,
      boolean snapshot,
      boolean forward,
      @Nullable Bytes edge,
      Runnable onManyTombstones) {
    this.limits = limits;
    this.snapshot = snapshot;
    this.forward = forward;
    this.edge = edge;
    this.onManyTombstones = onManyTombstones;
  }

  /** Returns the page, or {@link #UNFIT}. Cancelling it ends the scan. */
  CompletableFuture<RegionScan.Page> page() {
    return page;
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    if (page.isDone() || answered) {
      giveUp(controller);
      return;
    }
    answered = true;
    for (Result result : results) {
      for (Cell cell : result.rawCells()) {
        add(cell);
      }
    }
    if (bytes >= limits.bytesMax()) {
      controller.terminate();
      end(true);
    }
  }

  private void add(Cell cell) {
    cells++;
    bytes += cell.getSerializedSize();
    last = cell;
    if (cell.getValueLength() == 0 || cell.getValueArray()[cell.getValueOffset()] >= 0) {
      records.add(cell);
    }
  }

  /** The server has not found enough yet, so that the answer to come would be the second. */
  @Override
  public void onHeartbeat(ScanController controller) {
    giveUp(controller);
  }

  private void giveUp(ScanController controller) {
    controller.terminate();
    page.complete(UNFIT);
  }

  @Override
  public void onError(Throwable error) {
    page.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    end(cells >= limits.recordsMax());
  }

  /**
   * @param full true if there may be more records in the region
   */
  private void end(boolean full) {
    int tombstones = cells - records.size();
    if (tombstones * CELLS_PER_TOMBSTONE > cells) {
      onManyTombstones.run();
    }
    if (!full) {
      page.complete(new RegionScan.Page(records, edge == null, edge));
    } else if (tombstones == 0) {
      page.complete(new RegionScan.Page(records, false, null));
    } else {
      page.complete(snapshot ? UNFIT : new RegionScan.Page(records, false, afterLast()));
    }
  }

  private @Nullable Bytes afterLast() {
    if (last == null) {
      return null;
    }
    Bytes row = Bytes.of(CellUtil.cloneRow(last));
    return forward ? row.successor() : row;
  }
}
