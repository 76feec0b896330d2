package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * Removes the records of dropped spaces, some time after the drop, in bounded steps; once more a
 * day later, for writes that came late; then it forgets the drop. Everything it does may be done
 * twice. Used by one thread; blocks.
 */
final class Reclaimer {
  private static final int PAGE_KEYS = 1_000;
  private static final Duration SECOND_LOOK = Duration.ofHours(24);
  private static final Duration STEP_PATIENCE = Duration.ofSeconds(30);

  /** The thread has other things to do: what is left goes on at the next turn. */
  private static final Duration TURN_MAX = Duration.ofSeconds(10);

  /** Above every time that a cell of a space that is never used again can have. */
  private static final long LAST_MILLIS = Long.MAX_VALUE - 1;

  private final RegionCalls calls;
  private final RegionScan scan;
  private final Attempts attempts;
  private final ClusterClock clock;
  private final Duration delay;

  Reclaimer(
      RegionCalls calls, RegionScan scan, Attempts attempts, ClusterClock clock, Duration delay) {
    this.calls = calls;
    this.scan = scan;
    this.attempts = attempts;
    this.clock = clock;
    this.delay = delay;
  }

  /**
   * A drop as its home records it.
   *
   * @param swept true if its records were removed once
   */
  private record Drop(Partition home, long space, long millis, boolean swept) {}

  /** Works off what is due, as far as one turn goes. */
  void run() {
    Deadline turn = Deadline.after(TURN_MAX);
    for (Drop drop : drops()) {
      Duration due = drop.swept ? SECOND_LOOK.plus(delay) : delay;
      long age = clock.cellMillis() - drop.millis;
      if (age >= due.toMillis() && sweep(drop.space, turn)) {
        record(drop, drop.swept ? null : OwnRows.encodeSwept(drop.millis));
      }
    }
  }

  private List<Drop> drops() {
    List<Drop> drops = new ArrayList<>();
    KeyInterval rest = KeyInterval.ofSpace(Space.CATALOGUE.number());
    RegionScan.Page page;
    do {
      page = scan.page(StoreTable.CATALOG, List.of(rest), true, PAGE_KEYS, false, step());
      for (Cell cell : page.cells()) {
        byte[] key = CellUtil.cloneRow(cell);
        addDrop(key, StoredCell.of(cell), drops);
        rest = rest.from(Bytes.of(key).successor());
      }
      rest = page.resume() == null ? rest : rest.from(page.resume());
    } while (!page.isLast());
    return drops;
  }

  private static void addDrop(byte[] key, StoredCell cell, List<Drop> drops) {
    LentBytes partition = new LentBytes();
    LentBytes row = new LentBytes();
    KeyCodec.lend(key, key.length, partition, row);
    Bytes own = Bytes.of(row.copy());
    byte[] value = cell.value();
    if (value != null && OwnRows.isDropped(own)) {
      Partition home = new Partition(Space.CATALOGUE, Bytes.of(partition.copy()));
      drops.add(
          new Drop(
              home,
              OwnRows.droppedSpace(own),
              ByteBuffer.wrap(value).getLong(),
              value.length > Long.BYTES));
    }
  }

  private void record(Drop drop, byte @Nullable [] value) {
    Bytes row = OwnRows.dropped(drop.space);
    attempts.run(
        drop.home,
        List.of(),
        step(),
        view -> {
          if (view.condition(row).isRecord()) {
            view.changeOwn(row, value);
          }
          return true;
        },
        () -> {});
  }

  /** Removes what lies in the space now; false if the turn ended before. */
  private boolean sweep(long space, Deadline turn) {
    StoreTable table = StoreTable.of(space);
    byte[] end = KeyCodec.spaceEnd(space);
    byte[] from = KeyCodec.spaceStart(space);
    List<byte[]> keys = keys(table, from, end);
    while (!keys.isEmpty() && !turn.hasPassed()) {
      delete(table, keys);
      byte[] last = keys.get(keys.size() - 1);
      keys = keys(table, Arrays.copyOf(last, last.length + 1), end);
    }
    return keys.isEmpty();
  }

  private List<byte[]> keys(StoreTable table, byte[] from, byte[] end) {
    Scan keysOnly =
        new Scan()
            .withStartRow(from)
            .withStopRow(end)
            .setLimit(PAGE_KEYS)
            .setCaching(PAGE_KEYS)
            .setCacheBlocks(false)
            .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    List<Result> results =
        calls.read(table, from, step(), (remote, region) -> remote.scanAll(keysOnly));
    return results.stream().map(Result::getRow).toList();
  }

  private void delete(StoreTable table, List<byte[]> keys) {
    List<Delete> deletes = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      deletes.add(new Delete(key).addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, LAST_MILLIS));
    }
    calls.read(
        table, keys.get(0), step(), (remote, region) -> remote.deleteAll(new ArrayList<>(deletes)));
  }

  private static Deadline step() {
    return Deadline.after(STEP_PATIENCE);
  }
}
