package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.keys.KeyCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Get;

/** Reads rows of one partition by their keys. Never blocks. */
public final class Rows {
  private final RegionCalls calls;

  public Rows(RegionCalls calls) {
    this.calls = calls;
  }

  public CompletableFuture<StoredCell> read(Partition partition, Bytes row, Deadline deadline) {
    return Steps.map(
        calls.get(
            StoreTable.of(partition.space().number()), List.of(get(partition, row)), deadline),
        results -> StoredCell.of(results.get(0)));
  }

  /** Reads several rows, in the given order. Each row is read as of its own point in time. */
  public CompletableFuture<List<StoredCell>> readAll(
      Partition partition, List<Bytes> rows, Deadline deadline) {
    if (rows.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    List<Get> gets = rows.stream().map(row -> get(partition, row)).toList();
    return Steps.map(
        calls.get(StoreTable.of(partition.space().number()), gets, deadline),
        results -> results.stream().map(StoredCell::of).toList());
  }

  private static Get get(Partition partition, Bytes row) {
    return new Get(KeyCodec.encode(partition.row(row)))
        .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER);
  }
}
