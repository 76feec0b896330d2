package io.lazuli.storage.hbase.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.storage.Bytes;
import java.util.Optional;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanResumer;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.client.Cursor;
import org.jspecify.annotations.Nullable;

/** Pages as text, and the controller that tests pass to the consumer of a page. */
final class ScanPages {
  private ScanPages() {}

  /** Returns the rows of a page, and where the scan continues. */
  static String text(RegionScan.Page page) {
    String rows =
        String.join(
            " ",
            page.cells().stream().map(cell -> new String(CellUtil.cloneRow(cell), UTF_8)).toList());
    Bytes resume = page.resume();
    String next = resume == null ? " more" : " from " + new String(resume.array(), UTF_8);
    return rows + (page.isLast() ? " last" : next);
  }

  /** Records the calls of a consumer. No consumer of ours suspends a scan. */
  static final class Controller implements ScanController {
    private final Optional<Cursor> cursor;
    private boolean terminated;

    Controller(@Nullable String cursor) {
      this.cursor =
          Optional.ofNullable(cursor).map(row -> ClientUtil.createCursor(row.getBytes(UTF_8)));
    }

    boolean isTerminated() {
      return terminated;
    }

    @Override
    public ScanResumer suspend() {
      throw new AssertionError("a consumer suspended its scan");
    }

    @Override
    public void terminate() {
      terminated = true;
    }

    @Override
    public Optional<Cursor> cursor() {
      return cursor;
    }
  }
}
