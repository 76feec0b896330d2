package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.hbase.reclaim.Drop;
import io.lazuli.storage.hbase.reclaim.DropLedger;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/**
 * The drops in the catalogue, each in the home of its space. A search skips from one home to the
 * next, so that its cost depends on homes and drops, not on the number of names. Blocks.
 */
public final class DropRows implements DropLedger {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RegionScan scan;
  private final Attempts attempts;

  public DropRows(RegionScan scan, Attempts attempts) {
    this.scan = scan;
    this.attempts = attempts;
  }

  @Override
  public List<Drop> next(Bytes from, int max) {
    KeyInterval rest = KeyInterval.ofSpace(Space.CATALOGUE.number()).from(from);
    while (!rest.isEmpty()) {
      List<Cell> first = first(rest, 1);
      if (first.isEmpty()) {
        return List.of();
      }
      Partition home = home(CellUtil.cloneRow(first.get(0)));
      List<Drop> drops = drops(home, rest.from(), max);
      if (!drops.isEmpty()) {
        return drops;
      }
      rest = rest.from(firstKeyAfter(CellUtil.cloneRow(first.get(0))));
    }
    return List.of();
  }

  @Override
  public void record(Drop drop) {
    change(drop, drop.encode());
  }

  @Override
  public void forget(Drop drop) {
    change(drop, null);
  }

  private List<Drop> drops(Partition home, Bytes from, int max) {
    KeyInterval ofHome =
        new KeyInterval(key(home, OwnRows.DROPPED), key(home, OwnRows.DROPPED + 1)).from(from);
    List<Drop> drops = new ArrayList<>();
    for (Cell cell : ofHome.isEmpty() ? List.<Cell>of() : first(ofHome, max)) {
      byte[] key = CellUtil.cloneRow(cell);
      Bytes row = row(key);
      byte[] value = StoredCell.of(cell).value();
      if (value != null && OwnRows.isDropped(row)) {
        drops.add(Drop.decode(Bytes.of(key), home, OwnRows.droppedSpace(row), value));
      }
    }
    return drops;
  }

  private List<Cell> first(KeyInterval interval, int max) {
    return Steps.await(scan.first(StoreTable.CATALOG, interval, max, max, Deadline.after(TIMEOUT)));
  }

  private void change(Drop drop, byte @Nullable [] value) {
    Bytes row = OwnRows.dropped(drop.space());
    Steps.await(
        attempts.run(
            drop.home(),
            Deadline.after(TIMEOUT),
            view -> {
              if (view.condition(row).isRecord()) {
                view.changeOwn(row, value);
              }
              return true;
            }));
  }

  private static Bytes key(Partition home, int kind) {
    return Bytes.of(KeyCodec.encode(home.row(Bytes.of(new byte[] {0, (byte) kind}))));
  }

  private static Partition home(byte[] key) {
    LentBytes partition = new LentBytes();
    KeyCodec.lend(key, key.length, partition, new LentBytes());
    return new Partition(Space.CATALOGUE, Bytes.of(partition.copy()));
  }

  private static Bytes row(byte[] key) {
    LentBytes row = new LentBytes();
    KeyCodec.lend(key, key.length, new LentBytes(), row);
    return Bytes.of(row.copy());
  }

  /** Returns the first key after all rows of a key's partition. */
  private static Bytes firstKeyAfter(byte[] key) {
    byte[] next = Arrays.copyOf(key, KeyCodec.partitionEnd(key, key.length) + 1);
    next[next.length - 1] = 1;
    return Bytes.of(next);
  }
}
