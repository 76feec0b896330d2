package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the regions of the engine's tables, splits and merges them. Blocks. */
final class RegionAdmin {
  private static final Logger log = LoggerFactory.getLogger(RegionAdmin.class);
  private static final long LOOK_SECONDS = 10;
  private static final long OPERATION_SECONDS = 60;

  private final AsyncAdmin admin;
  private final String namespace;

  RegionAdmin(AsyncAdmin admin, String namespace) {
    this.admin = admin;
    this.namespace = namespace;
  }

  /**
   * The regions of all tables as they are now.
   *
   * @param regions in the order of tables and keys; without those that nobody serves
   */
  record Look(int servers, List<RegionSample> regions) {}

  /** A region's counts and who told them. */
  private record Counted(ServerName server, RegionMetrics counts) {}

  /** Asks every region server. */
  Look look() {
    List<ServerName> servers = List.copyOf(await(admin.getRegionServers(), LOOK_SECONDS));
    Map<Bytes, Counted> counted = new HashMap<>();
    for (ServerName server : servers) {
      for (RegionMetrics counts : counts(server)) {
        counted.put(Bytes.of(counts.getRegionName()), new Counted(server, counts));
      }
    }
    List<RegionSample> regions = new ArrayList<>();
    for (StoreTable table : StoreTable.values()) {
      for (RegionInfo region : regions(table)) {
        Counted found = counted.get(Bytes.of(region.getRegionName()));
        if (found != null) {
          regions.add(sample(table, region, found));
        }
      }
    }
    return new Look(servers.size(), regions);
  }

  /** Parts a region; its halves are compacted at once, since until then neither can be parted. */
  void split(BalanceStep.Split step) {
    await(admin.splitRegion(step.region().name().array(), step.at().array()), OPERATION_SECONDS);
    compact(step.region(), step.region());
  }

  void merge(BalanceStep.Merge step) {
    List<byte[]> names = List.of(step.left().name().array(), step.right().name().array());
    await(admin.mergeRegions(names, false), OPERATION_SECONDS);
    compact(step.left(), step.right());
  }

  /**
   * Rewrites the files of what lies between the first key of one region and the last of another. If
   * that fails, HBase does it later by itself.
   */
  private void compact(RegionSample first, RegionSample last) {
    StoreTable table = StoreTable.valueOf(first.table().toUpperCase(Locale.ROOT));
    try {
      for (RegionInfo region : regions(table)) {
        if (liesBetween(region, first.from(), last.to())) {
          await(admin.majorCompactRegion(region.getRegionName()), LOOK_SECONDS);
        }
      }
    } catch (StorageException e) {
      log.info("the compaction of {} has to wait: {}", first.range(), e.getMessage());
    }
  }

  private static boolean liesBetween(RegionInfo region, Bytes from, Bytes to) {
    Bytes end = Bytes.of(region.getEndKey());
    return Bytes.of(region.getStartKey()).compareTo(from) >= 0
        && (to.length() == 0 || (end.length() > 0 && end.compareTo(to) <= 0));
  }

  /** A server that does not answer is on its way out: its regions are left alone for now. */
  private List<RegionMetrics> counts(ServerName server) {
    try {
      return await(admin.getRegionMetrics(server), LOOK_SECONDS);
    } catch (StorageException e) {
      return List.of();
    }
  }

  private List<RegionInfo> regions(StoreTable table) {
    return await(admin.getRegions(table.name(namespace)), LOOK_SECONDS);
  }

  private static RegionSample sample(StoreTable table, RegionInfo region, Counted found) {
    RegionMetrics counts = found.counts;
    return new RegionSample(
        RequestSamples.word(table),
        Bytes.of(region.getRegionName()),
        Bytes.of(region.getStartKey()),
        Bytes.of(region.getEndKey()),
        found.server.getServerName(),
        counts.getReadRequestCount(),
        counts.getWriteRequestCount(),
        bytes(counts.getStoreFileSize()) + bytes(counts.getMemStoreSize()));
  }

  private static long bytes(Size size) {
    return (long) size.get(Size.Unit.BYTE);
  }

  private static <T> T await(CompletableFuture<T> future, long seconds) {
    try {
      return future.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw unavailable(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw unavailable("no answer within " + seconds + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", e);
    }
  }

  private static StorageException unavailable(String message, Exception cause) {
    String line = message.lines().findFirst().orElse(message);
    return new StorageException(StorageException.Kind.UNAVAILABLE, line, cause);
  }
}
