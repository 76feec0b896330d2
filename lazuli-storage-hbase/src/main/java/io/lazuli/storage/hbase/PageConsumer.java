package io.lazuli.storage.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;

/**
 * Takes one page of a scan. The library goes on by itself with further calls, to the next region or
 * where a server stopped early; what they bring is of a later moment. Where a page has to be of one
 * moment it ends with the first call. Used by one thread of the library at a time.
 */
final class PageConsumer implements AdvancedScanResultConsumer {
  private final boolean oneMoment;
  private final int recordsMax;
  private final long bytesMax;
  private final List<Cell> cells = new ArrayList<>();
  private final CompletableFuture<RegionScan.Page> page = new CompletableFuture<>();
  private long bytes;

  PageConsumer(boolean oneMoment, int recordsMax, long bytesMax) {
    this.oneMoment = oneMoment;
    this.recordsMax = recordsMax;
    this.bytesMax = bytesMax;
  }

  CompletableFuture<RegionScan.Page> page() {
    return page;
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    if (oneMoment && !cells.isEmpty()) {
      controller.terminate();
      end(bytes >= bytesMax ? RegionScan.End.MORE : RegionScan.End.CUT_SHORT);
      return;
    }
    for (Result result : results) {
      for (Cell cell : result.rawCells()) {
        cells.add(cell);
        bytes += cell.getSerializedSize();
      }
    }
    if (bytes >= bytesMax) {
      controller.terminate();
      end(RegionScan.End.MORE);
    }
  }

  @Override
  public void onError(Throwable error) {
    page.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    end(cells.size() >= recordsMax ? RegionScan.End.MORE : RegionScan.End.LAST);
  }

  private void end(RegionScan.End end) {
    page.complete(new RegionScan.Page(cells, end, null));
  }
}
