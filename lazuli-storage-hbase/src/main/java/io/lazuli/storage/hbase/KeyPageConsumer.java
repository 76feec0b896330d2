package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.reclaim.SpaceRows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;

/**
 * Takes one page of keys from a region full of tombstones, which a server crosses slowly: it stops
 * from time to time, and tells how far it is. A page ends there, so that none takes for ever and
 * the next one goes on from that key. Used by one thread of the library at a time.
 */
final class KeyPageConsumer implements AdvancedScanResultConsumer {
  private final int max;
  private final Bytes stop;
  private final List<byte[]> keys = new ArrayList<>();
  private final CompletableFuture<SpaceRows.Page> page = new CompletableFuture<>();

  /**
   * @param stop where the scan ends
   */
  KeyPageConsumer(int max, Bytes stop) {
    this.max = max;
    this.stop = stop;
  }

  CompletableFuture<SpaceRows.Page> page() {
    return page;
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    boolean wentOn = !keys.isEmpty();
    for (Result result : results) {
      keys.add(result.getRow());
    }
    if (wentOn) {
      // The server stopped early once: it may do so at every call.
      controller.terminate();
      endHere();
    }
  }

  @Override
  public void onHeartbeat(ScanController controller) {
    controller
        .cursor()
        .map(Cursor::getRow)
        .ifPresent(
            row -> {
              controller.terminate();
              end(Bytes.of(row), false);
            });
  }

  @Override
  public void onError(Throwable error) {
    page.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    if (keys.size() >= max) {
      endHere();
    } else {
      end(stop, true);
    }
  }

  private void endHere() {
    end(Bytes.of(keys.get(keys.size() - 1)).successor(), false);
  }

  private void end(Bytes next, boolean passesRegion) {
    page.complete(new SpaceRows.Page(keys, next, passesRegion));
  }
}
