package io.lazuli.storage.hbase.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.StoreTable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the state of the regions of the engine's tables, and splits, merges, moves and empties
 * them, one at a time. Thread-safe. Blocks.
 */
public final class RegionAdmin {
  private static final Logger log = LoggerFactory.getLogger(RegionAdmin.class);
  private static final long QUERY_SECONDS = 10;
  private static final long OPERATION_SECONDS = 60;
  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

  private final AsyncAdmin admin;
  private final String namespace;
  private volatile @Nullable Boolean truncates;

  public RegionAdmin(AsyncAdmin admin, String namespace) {
    this.admin = admin;
    this.namespace = namespace;
  }

  /**
   * The current regions of all tables.
   *
   * @param servers the names of all region servers
   * @param regions ordered by table and key, including those that no server has
   */
  record Snapshot(List<String> servers, List<RegionSample> regions) {
    List<RegionSample> served() {
      return regions.stream().filter(RegionSample::isServed).toList();
    }
  }

  /** The counters of a region, and the server that reported them. */
  private record Counted(ServerName server, RegionMetrics counts) {}

  /** Asks every region server for its regions. */
  Snapshot snapshot() {
    List<ServerName> servers = List.copyOf(await(admin.getRegionServers(), QUERY_SECONDS));
    Map<Bytes, Counted> counted = new HashMap<>();
    for (ServerName server : servers) {
      for (RegionMetrics counts : counts(server)) {
        counted.put(Bytes.of(counts.getRegionName()), new Counted(server, counts));
      }
    }
    List<RegionSample> regions = new ArrayList<>();
    for (StoreTable table : StoreTable.values()) {
      for (RegionInfo region : regions(table)) {
        regions.add(sample(table, region, counted.get(Bytes.of(region.getRegionName()))));
      }
    }
    return new Snapshot(servers.stream().map(ServerName::getServerName).toList(), regions);
  }

  /** Returns the size of all tables but that of chunks, as far as the servers report it. */
  public long recordBytes() {
    String chunks = RequestSamples.shortName(StoreTable.CHUNKS);
    return snapshot().regions().stream()
        .filter(region -> !region.table().equals(chunks))
        .mapToLong(RegionSample::bytes)
        .sum();
  }

  /** Splits a region and compacts both halves, because neither can be split again before that. */
  synchronized void split(RegionSample region, Bytes at) {
    await(admin.splitRegion(region.name().array(), at.array()), OPERATION_SECONDS);
    compact(region, region);
  }

  synchronized void merge(BalanceStep.Merge step) {
    List<byte[]> names = List.of(step.left().name().array(), step.right().name().array());
    await(admin.mergeRegions(names, false), OPERATION_SECONDS);
    compact(step.left(), step.right());
  }

  synchronized void move(RegionSample region, String server) {
    byte[] name = RegionInfo.encodeRegionName(region.name().array()).getBytes(UTF_8);
    await(admin.move(name, ServerName.valueOf(server)), OPERATION_SECONDS);
  }

  /** Empties a region. Requests for its rows wait until it is done. */
  synchronized void truncate(RegionSample region) {
    await(admin.truncateRegion(region.name().array()), OPERATION_SECONDS);
  }

  /** Returns true if the cluster is known to support {@link #truncate}. */
  boolean canTruncate() {
    Boolean known = truncates;
    if (known == null) {
      try {
        known = canTruncate(version());
        truncates = known;
      } catch (StorageException e) {
        // The next call asks again.
        return false;
      }
    }
    return known;
  }

  private String version() {
    EnumSet<ClusterMetrics.Option> option = EnumSet.of(ClusterMetrics.Option.HBASE_VERSION);
    return String.valueOf(await(admin.getClusterMetrics(option), QUERY_SECONDS).getHBaseVersion());
  }

  /** Returns true if this version of HBase supports {@link #truncate}: 2.6 and later. */
  static boolean canTruncate(String version) {
    Matcher numbers = VERSION.matcher(version);
    if (!numbers.lookingAt()) {
      return false;
    }
    int major = Integer.parseInt(numbers.group(1));
    return major > 2 || (major == 2 && Integer.parseInt(numbers.group(2)) >= 6);
  }

  /**
   * Compacts the regions between the first key of one region and the last key of another. If that
   * fails, HBase compacts them later by itself.
   */
  private void compact(RegionSample first, RegionSample last) {
    StoreTable table = StoreTable.valueOf(first.table().toUpperCase(Locale.ROOT));
    try {
      for (RegionInfo region : regions(table)) {
        if (liesBetween(region, first.from(), last.to())) {
          await(admin.majorCompactRegion(region.getRegionName()), QUERY_SECONDS);
        }
      }
    } catch (StorageException e) {
      log.info("the compaction of {} is postponed: {}", first.range(), e.getMessage());
    }
  }

  private static boolean liesBetween(RegionInfo region, Bytes from, Bytes to) {
    Bytes end = Bytes.of(region.getEndKey());
    return Bytes.of(region.getStartKey()).compareTo(from) >= 0
        && (to.length() == 0 || (end.length() > 0 && end.compareTo(to) <= 0));
  }

  /**
   * Returns the counters of a server's regions. Returns an empty list if the server does not
   * answer; its regions are left alone for now.
   */
  private List<RegionMetrics> counts(ServerName server) {
    try {
      return await(admin.getRegionMetrics(server), QUERY_SECONDS);
    } catch (StorageException e) {
      return List.of();
    }
  }

  private List<RegionInfo> regions(StoreTable table) {
    return await(admin.getRegions(table.name(namespace)), QUERY_SECONDS);
  }

  private static RegionSample sample(StoreTable table, RegionInfo region, @Nullable Counted found) {
    RegionSample unserved =
        new RegionSample(
            RequestSamples.shortName(table),
            Bytes.of(region.getRegionName()),
            Bytes.of(region.getStartKey()),
            Bytes.of(region.getEndKey()),
            "",
            0,
            0,
            0);
    if (found == null) {
      return unserved;
    }
    RegionMetrics counts = found.counts;
    return unserved.servedBy(
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
