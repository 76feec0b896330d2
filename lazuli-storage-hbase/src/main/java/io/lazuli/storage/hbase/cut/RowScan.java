package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.keys.KeyInterval;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a table that does not change, in order. The library repeats calls that fail.
 * Blocks. Used by one thread.
 */
final class RowScan implements AutoCloseable {
  /** The bytes of an answer; the library keeps at most a few answers. */
  private static final int ANSWER_BYTES_MAX = 2 << 20;

  private final ResultScanner rows;

  private RowScan(AsyncConnection connection, TableName table, Scan scan) {
    scan.addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER)
        .setCacheBlocks(false)
        .setMaxResultSize(ANSWER_BYTES_MAX);
    rows = connection.getTable(table).getScanner(scan);
  }

  static RowScan ofAll(AsyncConnection connection, TableName table) {
    return new RowScan(connection, table, new Scan().setReadType(Scan.ReadType.STREAM));
  }

  static RowScan of(AsyncConnection connection, TableName table, KeyInterval interval) {
    return new RowScan(connection, table, within(interval));
  }

  /** Reads rows without their values. */
  static RowScan ofKeys(AsyncConnection connection, TableName table, KeyInterval interval) {
    return new RowScan(connection, table, within(interval).setFilter(new KeyOnlyFilter()));
  }

  private static Scan within(KeyInterval interval) {
    return new Scan()
        .withStartRow(interval.from().array())
        .withStopRow(interval.to().array(), false);
  }

  /** Returns the cell of the next row; null at the end. */
  @Nullable Cell next() throws IOException {
    Result result = rows.next();
    return result == null
        ? null
        : result.getColumnLatestCell(StoreTable.FAMILY, StoreTable.QUALIFIER);
  }

  @Override
  public void close() {
    rows.close();
  }
}
