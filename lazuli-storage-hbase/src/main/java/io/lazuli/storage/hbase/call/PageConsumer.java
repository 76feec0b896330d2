package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Collects one page of a scan, which the library reads in as many calls as it needs. It ends the
 * scan when the page is full, when its time is up, or when the page was cancelled. Used by one
 * thread of the library at a time.
 */
public final class PageConsumer implements AdvancedScanResultConsumer {
  /**
   * The limits of a page.
   *
   * @param nanosMax the time limit; it is checked after each call, so a page may exceed it by one
   *     call
   */
  public record Limits(int recordsMax, long bytesMax, long nanosMax) {}

  private final Limits limits;
  private final boolean snapshot;
  private final boolean refusable;
  private final boolean forward;
  private final @Nullable Bytes edge;
  private final LongSupplier nanoTime;
  private final long begunNanos;
  private final List<Cell> cells = new ArrayList<>();
  private final CompletableFuture<RegionScan.Page> page = new CompletableFuture<>();
  private @Nullable ScanMetrics metrics;
  private long bytes;

  /**
   * @param snapshot true if the page must come from one scanner, that is, from one point in time
   * @param edge the border of the region at which the page ends; null if the scan ends in the
   *     region
   */
  public PageConsumer(
      Limits limits,
      boolean snapshot,
      boolean forward,
      @Nullable Bytes edge,
      LongSupplier nanoTime) {
    this(limits, snapshot, false, forward, edge, nanoTime);
  }

  private PageConsumer(
      Limits limits,
      boolean snapshot,
      boolean refusable,
      boolean forward,
      @Nullable Bytes edge,
      LongSupplier nanoTime) {
    this.limits = limits;
    this.snapshot = snapshot;
    this.refusable = refusable;
    this.forward = forward;
    this.edge = edge;
    this.nanoTime = nanoTime;
    this.begunNanos = nanoTime.getAsLong();
  }

  /** Returns a consumer of a page that is tested, whose filter the region server may not have. */
  static PageConsumer ofSearch(Limits limits, @Nullable Bytes edge, LongSupplier nanoTime) {
    return new PageConsumer(limits, false, true, true, edge, nanoTime);
  }

  /** Returns the page. Cancelling it ends the scan. */
  public CompletableFuture<RegionScan.Page> page() {
    return page;
  }

  @Override
  public void onScanMetricsCreated(ScanMetrics scanMetrics) {
    metrics = scanMetrics;
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    for (Result result : results) {
      for (Cell cell : result.rawCells()) {
        cells.add(cell);
        bytes += cell.getSerializedSize();
      }
    }
    if (page.isDone()) {
      controller.terminate();
    } else if (bytes >= limits.bytesMax || isLate()) {
      endAt(controller);
    }
  }

  /**
   * Ends the page if its time is up. A server sends a heartbeat if it found nothing for a while;
   * the heartbeat may carry a cursor.
   */
  @Override
  public void onHeartbeat(ScanController controller) {
    if (page.isDone()) {
      controller.terminate();
    } else if (isLate() && (controller.cursor().isPresent() || !cells.isEmpty())) {
      endAt(controller);
    }
  }

  @Override
  public void onError(Throwable error) {
    if (refusable && FilterServers.isRefusal(error)) {
      page.complete(RegionScan.REFUSED);
    } else {
      page.completeExceptionally(error);
    }
  }

  @Override
  public void onComplete() {
    boolean full = cells.size() >= limits.recordsMax;
    end(!full && edge == null, full ? null : edge);
  }

  private boolean isLate() {
    return nanoTime.getAsLong() - begunNanos >= limits.nanosMax;
  }

  private void endAt(ScanController controller) {
    controller.terminate();
    end(false, controller.cursor().map(this::resume).orElse(null));
  }

  /**
   * Returns the key at which the next page continues. The row of the cursor itself has not been
   * read yet.
   */
  private Bytes resume(Cursor cursor) {
    Bytes row = Bytes.of(cursor.getRow());
    return forward ? row : row.successor();
  }

  /** Returns how many rows the server has examined and not sent, if it counts them. */
  private long leftOut() {
    return metrics == null ? 0 : Math.max(0, metrics.countOfRowsScanned.get() - cells.size());
  }

  private void end(boolean isLast, @Nullable Bytes resume) {
    if (snapshot && metrics != null && metrics.countOfRegions.get() > 1) {
      page.completeExceptionally(new IOException("the page does not come from one point in time"));
    } else {
      page.complete(new RegionScan.Page(cells, isLast, resume, leftOut()));
    }
  }
}
