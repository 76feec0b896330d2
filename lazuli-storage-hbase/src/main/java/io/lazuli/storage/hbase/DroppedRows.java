package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.reclaim.SpaceRows;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The records of dropped spaces in the cluster. Used by one thread; blocks. */
final class DroppedRows implements SpaceRows {
  private static final Logger log = LoggerFactory.getLogger(DroppedRows.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Regions are looked at by asking all servers: not for every page. */
  private static final Duration LOOK_LIFE = Duration.ofSeconds(10);

  /** Above every time that a cell of a space that is never used again can have. */
  private static final long LAST_MILLIS = Long.MAX_VALUE - 1;

  private final RegionCalls calls;
  private final RegionAdmin regions;
  private final BalanceRows journal;
  private List<RegionSample> lastLook = List.of();
  private Deadline lookUntil = Deadline.after(Duration.ZERO);

  DroppedRows(RegionCalls calls, RegionAdmin regions, BalanceRows journal) {
    this.calls = calls;
    this.regions = regions;
    this.journal = journal;
  }

  @Override
  public Page keys(long space, Bytes from, int max) {
    Bytes end = Bytes.of(KeyCodec.spaceEnd(space));
    return calls.read(
        StoreTable.of(space),
        from.array(),
        Deadline.after(PATIENCE),
        (remote, region) -> {
          Bytes stop = stop(region, end);
          KeyPageConsumer consumer = new KeyPageConsumer(max, stop);
          remote.scan(scan(from, stop, max), consumer);
          return consumer.page();
        });
  }

  @Override
  public void delete(long space, List<byte[]> keys) {
    List<Delete> deletes = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      deletes.add(new Delete(key).addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, LAST_MILLIS));
    }
    calls.repeat(
        StoreTable.of(space),
        keys.get(0),
        Deadline.after(PATIENCE),
        (remote, region) -> remote.deleteAll(new ArrayList<>(deletes)).thenApply(nothing -> true));
  }

  @Override
  public Optional<RegionSample> region(long space, Bytes key) {
    if (lookUntil.hasPassed()) {
      lastLook = look();
      lookUntil = Deadline.after(LOOK_LIFE);
    }
    String table = RequestSamples.word(StoreTable.of(space));
    return lastLook.stream()
        .filter(region -> region.table().equals(table) && region.contains(key))
        .filter(RegionSample::isServed)
        .findAny();
  }

  /** Without a master rows can still be deleted. */
  private List<RegionSample> look() {
    try {
      return regions.look().regions();
    } catch (StorageException e) {
      log.info("the regions of dropped spaces are not known: {}", e.getMessage());
      return List.of();
    }
  }

  @Override
  public boolean canTruncate() {
    return regions.canTruncate();
  }

  @Override
  public boolean truncate(BalanceStep.Truncate step) {
    return operate(step, () -> regions.truncate(step.region()));
  }

  @Override
  public void cut(BalanceStep.CutOut step) {
    operate(step, () -> regions.split(step.region(), step.at()));
  }

  private boolean operate(BalanceStep step, Runnable operation) {
    lookUntil = Deadline.after(Duration.ZERO);
    long began = System.nanoTime();
    try {
      operation.run();
    } catch (StorageException e) {
      // Expected after a split, until the cluster has compacted: nothing for the journal.
      log.info("{} has to wait: {}", step.what(), e.getMessage());
      return false;
    }
    String outcome = "done in %.1f s".formatted((System.nanoTime() - began) / 1e9);
    log.info("{}, because {}: {}", step.what(), step.why(), outcome);
    journal.note(step, Ending.DONE, outcome);
    return true;
  }

  private static Bytes stop(RegionInfo region, Bytes end) {
    Bytes regionEnd = Bytes.of(region.getEndKey());
    return regionEnd.length() > 0 && regionEnd.compareTo(end) < 0 ? regionEnd : end;
  }

  static Scan scan(Bytes from, Bytes stop, int max) {
    return new Scan()
        .withStartRow(from.array())
        .withStopRow(stop.array(), false)
        .setReadType(Scan.ReadType.PREAD)
        .setLimit(max)
        .setCaching(max)
        .setCacheBlocks(false)
        .setNeedCursorResult(true)
        .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
  }
}
