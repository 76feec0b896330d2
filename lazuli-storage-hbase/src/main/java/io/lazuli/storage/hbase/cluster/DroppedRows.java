package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.call.PageConsumer;
import io.lazuli.storage.hbase.call.PageConsumer.Limits;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.reclaim.SpaceRows;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The records of dropped spaces in the cluster. Used by one thread. Blocks. */
public final class DroppedRows implements SpaceRows {
  private static final Logger log = LoggerFactory.getLogger(DroppedRows.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * How long a list of regions is used. Reading it asks all servers, which is too expensive for
   * every page.
   */
  private static final Duration REGIONS_LIFETIME = Duration.ofSeconds(10);

  private static final long PAGE_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  /**
   * The timestamp of deletes, above that of every cell. The spaces are never used again, so the
   * deletes hide no new cell.
   */
  private static final long LAST_MILLIS = Long.MAX_VALUE - 1;

  private final RegionCalls calls;
  private final RegionAdmin regions;
  private final BalanceRows journal;
  private final KeyNames names;
  private List<RegionSample> lastRegions = List.of();
  private Deadline regionsExpire = Deadline.after(Duration.ZERO);

  public DroppedRows(RegionCalls calls, RegionAdmin regions, BalanceRows journal, KeyNames names) {
    this.calls = calls;
    this.regions = regions;
    this.journal = journal;
    this.names = names;
  }

  @Override
  public Page keys(long space, Bytes from, int max) {
    Bytes end = Bytes.of(KeyCodec.spaceEnd(space));
    Limits limits = new Limits(max, Long.MAX_VALUE, PAGE_NANOS_MAX);
    return Steps.await(
        calls.readPage(
            StoreTable.of(space),
            from.array(),
            Deadline.after(TIMEOUT),
            (remote, region) -> page(remote, from, stop(region, end), limits)));
  }

  /**
   * Reads a page of keys. A region server that must skip many delete markers is slow. It reports
   * how far it has read, so that the next page can continue there.
   */
  static CompletableFuture<Page> page(
      AsyncTable<AdvancedScanResultConsumer> remote, Bytes from, Bytes stop, Limits limits) {
    PageConsumer consumer = new PageConsumer(limits, false, true, stop, System::nanoTime);
    remote.scan(scan(from, stop, limits.recordsMax()), consumer);
    return consumer.page().thenApply(page -> keysOf(page, stop));
  }

  private static Page keysOf(RegionScan.Page page, Bytes stop) {
    List<byte[]> keys = page.cells().stream().map(CellUtil::cloneRow).toList();
    Bytes resume = page.resume();
    Bytes next = resume == null ? Bytes.of(keys.get(keys.size() - 1)).successor() : resume;
    return new Page(keys, next, next.equals(stop));
  }

  @Override
  public void delete(long space, List<byte[]> keys) {
    List<Delete> deletes = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      deletes.add(new Delete(key).addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, LAST_MILLIS));
    }
    Steps.await(
        calls.repeat(
            StoreTable.of(space),
            keys.get(0),
            Deadline.after(TIMEOUT),
            (remote, region) ->
                remote.deleteAll(new ArrayList<>(deletes)).thenApply(nothing -> true)));
  }

  @Override
  public Optional<RegionSample> region(long space, Bytes key) {
    if (regionsExpire.hasPassed()) {
      lastRegions = readRegions();
      regionsExpire = Deadline.after(REGIONS_LIFETIME);
    }
    String table = RequestSamples.shortName(StoreTable.of(space));
    return lastRegions.stream()
        .filter(region -> region.table().equals(table) && region.contains(key))
        .filter(RegionSample::isServed)
        .findAny();
  }

  /**
   * Returns the regions of all tables. Returns an empty list if HBase does not report them; rows
   * can still be deleted one by one then.
   */
  private List<RegionSample> readRegions() {
    try {
      return regions.snapshot().regions();
    } catch (StorageException e) {
      log.info("cannot read the regions of dropped spaces: {}", e.getMessage());
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
    regionsExpire = Deadline.after(Duration.ZERO);
    String what = step.what(names.of(step.keys()));
    long began = System.nanoTime();
    try {
      operation.run();
    } catch (StorageException e) {
      // The journal records no failure of these steps: they are expected to fail after a split
      // until
      // the cluster has compacted the region.
      log.info("{} is postponed: {}", what, e.getMessage());
      return false;
    }
    String outcome = "done in %.1f s".formatted((System.nanoTime() - began) / 1e9);
    log.info("{}, because {}: {}", what, step.why(), outcome);
    journal.note(step, what, Ending.DONE, outcome);
    return true;
  }

  private static Bytes stop(RegionInfo region, Bytes end) {
    Bytes regionEnd = Bytes.of(region.getEndKey());
    return regionEnd.length() > 0 && regionEnd.compareTo(end) < 0 ? regionEnd : end;
  }

  private static Scan scan(Bytes from, Bytes stop, int max) {
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
