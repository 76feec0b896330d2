package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.keys.KeyCodec;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/** Reads rows of one partition by their keys. Blocks. */
public final class Rows {
  private final RegionCalls calls;

  public Rows(RegionCalls calls) {
    this.calls = calls;
  }

  public StoredCell read(Partition partition, Bytes row, Deadline deadline) {
    return read(partition, row, deadline, () -> {});
  }

  /**
   * Reads one row.
   *
   * @param inParallel runs while the call is under way, once for each attempt
   */
  public StoredCell read(Partition partition, Bytes row, Deadline deadline, Runnable inParallel) {
    byte[] key = KeyCodec.encode(partition.row(row));
    StoreTable table = StoreTable.of(partition.space().number());
    return calls.read(
        table,
        key,
        deadline,
        (remote, region) -> remote.get(get(key)).thenApply(StoredCell::of),
        inParallel);
  }

  /** Reads several rows, in the given order. Each row is read as of its own point in time. */
  public List<StoredCell> readAll(Partition partition, List<Bytes> rows, Deadline deadline) {
    if (rows.size() == 1) {
      return List.of(read(partition, rows.get(0), deadline));
    }
    if (rows.isEmpty()) {
      return List.of();
    }
    List<Get> gets = new ArrayList<>(rows.size());
    for (Bytes row : rows) {
      gets.add(get(KeyCodec.encode(partition.row(row))));
    }
    List<Result> results =
        calls.read(
            StoreTable.of(partition.space().number()),
            gets.get(0).getRow(),
            deadline,
            (remote, region) -> remote.getAll(gets));
    return results.stream().map(StoredCell::of).toList();
  }

  private static Get get(byte[] key) {
    return new Get(key).addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER);
  }
}
