package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.keys.KeyCodec;
import java.util.ArrayList;
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
    byte[] key = KeyCodec.encode(partition.row(row));
    return Steps.map(
        calls.read(
            StoreTable.of(partition.space().number()),
            key,
            deadline,
            (remote, region) -> remote.get(get(key))),
        StoredCell::of);
  }

  /** Reads several rows, in the given order. Each row is read as of its own point in time. */
  public CompletableFuture<List<StoredCell>> readAll(
      Partition partition, List<Bytes> rows, Deadline deadline) {
    if (rows.size() == 1) {
      return Steps.map(read(partition, rows.get(0), deadline), List::of);
    }
    if (rows.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    List<Get> gets = new ArrayList<>(rows.size());
    for (Bytes row : rows) {
      gets.add(get(KeyCodec.encode(partition.row(row))));
    }
    return Steps.map(
        calls.read(
            StoreTable.of(partition.space().number()),
            gets.get(0).getRow(),
            deadline,
            (remote, region) -> remote.getAll(gets)),
        results -> results.stream().map(StoredCell::of).toList());
  }

  private static Get get(byte[] key) {
    return new Get(key).addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER);
  }
}
