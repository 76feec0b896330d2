package io.lazuli.storage.hbase.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.Node;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.StoreTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
 * them. One caller at a time changes regions. Thread-safe. Blocks.
 */
public final class RegionAdmin {
  private static final Logger log = LoggerFactory.getLogger(RegionAdmin.class);
  private static final long QUERY_SECONDS = 10;
  private static final long OPERATION_SECONDS = 60;
  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

  /** How long all region servers together have for the counters of their regions. */
  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(3);

  private final AsyncAdmin admin;
  private final String namespace;
  private final ParallelQuestion<ServerName, List<RegionMetrics>> counters;
  private volatile @Nullable Boolean truncates;

  public RegionAdmin(AsyncAdmin admin, String namespace) {
    this.admin = admin;
    this.namespace = namespace;
    this.counters = new ParallelQuestion<>(admin::getRegionMetrics, ANSWER_TIME_MAX);
  }

  /**
   * The current regions of all tables.
   *
   * @param nodes all region servers
   * @param regions ordered by table and key, including those that no server has, or whose server
   *     does not answer
   */
  record Snapshot(List<Node> nodes, List<RegionSample> regions) {
    List<RegionSample> served() {
      return regions.stream().filter(RegionSample::isServed).toList();
    }

    /** Returns the names of all region servers. */
    List<String> servers() {
      return nodes.stream().map(Node::name).toList();
    }
  }

  /** The counters of a region, and the server that reported them. */
  private record Counted(ServerName server, RegionMetrics counts) {}

  /** Asks all region servers for their regions, at the same time. */
  Snapshot snapshot() {
    List<ServerName> servers = List.copyOf(await(admin.getRegionServers(), QUERY_SECONDS));
    Map<StoreTable, CompletableFuture<List<RegionInfo>>> tables = new EnumMap<>(StoreTable.class);
    for (StoreTable table : StoreTable.values()) {
      tables.put(table, admin.getRegions(table.name(namespace)));
    }
    Map<ServerName, List<RegionMetrics>> answers = counters(servers);
    Map<Bytes, Counted> counted = new HashMap<>();
    answers.forEach(
        (server, regions) ->
            regions.forEach(
                counts ->
                    counted.put(Bytes.of(counts.getRegionName()), new Counted(server, counts))));
    List<RegionSample> regions = new ArrayList<>();
    tables.forEach(
        (table, list) -> {
          for (RegionInfo region : await(list, QUERY_SECONDS)) {
            regions.add(sample(table, region, counted.get(Bytes.of(region.getRegionName()))));
          }
        });
    return new Snapshot(
        servers.stream().map(server -> node(server, answers.get(server))).toList(), regions);
  }

  private Map<ServerName, List<RegionMetrics>> counters(List<ServerName> servers) {
    try {
      return counters.ask(servers);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", e);
    }
  }

  private static Node node(ServerName server, @Nullable List<RegionMetrics> answer) {
    return new Node(server.getServerName(), answer == null ? 0 : answer.size(), answer != null);
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
  void split(RegionSample region, Bytes at) {
    Optional<String> failure = carryOut(List.of(new BalanceStep.Split(region, at, ""))).get(0);
    if (failure.isPresent()) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, failure.get());
    }
  }

  /**
   * Carries out operations at the same time.
   *
   * @return for each step the reason why it failed; empty if it did not
   */
  synchronized List<Optional<String>> carryOut(List<BalanceStep> steps) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(OPERATION_SECONDS);
    List<CompletableFuture<Void>> begun = steps.stream().map(this::begin).toList();
    List<Optional<String>> failures = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      try {
        await(begun.get(i), Math.max(1, TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime())));
        finish(steps.get(i));
        failures.add(Optional.empty());
      } catch (StorageException e) {
        failures.add(Optional.of(String.valueOf(e.getMessage())));
      }
    }
    return failures;
  }

  private CompletableFuture<Void> begin(BalanceStep step) {
    if (step instanceof BalanceStep.Split split) {
      return admin.splitRegion(split.region().name().array(), split.at().array());
    } else if (step instanceof BalanceStep.Merge merge) {
      return admin.mergeRegions(
          List.of(merge.left().name().array(), merge.right().name().array()), false);
    } else if (step instanceof BalanceStep.Move move) {
      return move(move.region(), move.server());
    } else if (step instanceof BalanceStep.Exchange exchange) {
      return CompletableFuture.allOf(
          move(exchange.region(), exchange.other().server()),
          move(exchange.other(), exchange.region().server()));
    }
    throw new IllegalArgumentException("not an operation: " + step.getClass());
  }

  /** Does what follows an operation, also one of a leader that has died. */
  void finish(BalanceStep step) {
    if (step instanceof BalanceStep.Split split) {
      compact(split.region(), split.region());
    } else if (step instanceof BalanceStep.Merge merge) {
      compact(merge.left(), merge.right());
    }
  }

  private CompletableFuture<Void> move(RegionSample region, String server) {
    byte[] name = RegionInfo.encodeRegionName(region.name().array()).getBytes(UTF_8);
    return admin.move(name, ServerName.valueOf(server));
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
      log.info("a compaction in table {} is postponed: {}", first.table(), e.getMessage());
    }
  }

  private static boolean liesBetween(RegionInfo region, Bytes from, Bytes to) {
    Bytes end = Bytes.of(region.getEndKey());
    return Bytes.of(region.getStartKey()).compareTo(from) >= 0
        && (to.length() == 0 || (end.length() > 0 && end.compareTo(to) <= 0));
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
