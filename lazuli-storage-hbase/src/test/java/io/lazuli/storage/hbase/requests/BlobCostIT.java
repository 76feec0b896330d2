package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.chunk.ChunkFolder;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The processor time and the bytes on disk of a put of 256 MiB: with chunks in files and in cells,
 * compared with a client of HDFS that writes a file of that length with the same durability. Each
 * process counts with all its threads, because those of data nodes end with their files. Prints a
 * table, and judges the ratio.
 */
@Tag("long")
final class BlobCostIT {
  private static final int MIB = 1 << 20;
  private static final int BLOB_MIB = Integer.getInteger("blob.mib", 256);
  private static final int TURNS = Integer.getInteger("cost.turns", 3);
  private static final int WARM_UP_TURNS = Integer.getInteger("cost.warm-up", 3);

  /** The acceptance of issue 27: this many times the cost of a client of HDFS. */
  private static final double RATIO_MAX = 3;

  private static final int PUTS_MAX = 3;

  /** The namespace of the server without files. */
  private static final String CELLS = "cells";

  private static final byte[] PIECE = new byte[MIB];

  static {
    new Random(1).nextBytes(PIECE);
  }

  /** Writes some bytes under a number that no other turn has. */
  @FunctionalInterface
  private interface Put {
    void run(int number) throws IOException;
  }

  /** Milliseconds of processor time for each MiB, by process, and the bytes on a disk. */
  private record Turn(Map<String, Double> millis, double diskPerByte) {
    double total() {
      return millis.values().stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  @Test
  void aPutOf256MebibytesComparedWithAClientOfHdfs() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1).withHdfs());
        Placement placement = new Placement(cluster)) {
      Configuration site = ClusterConnection.configuration(cluster.clientConfig());
      URI place = URI.create(site.get("lazuli.chunk.folder"));
      TestAccount files = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      removeFolder(cluster);
      PackedServers.set(cluster, "lazuli.namespace", CELLS);
      TestAccount cells = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      try (ChunkFolder raw =
              ChunkFolder.connect(site, UserGroupInformation.createRemoteUser("raw"), place);
          SignedConnection toFiles = files.connect(Service.BLOB);
          SignedConnection toCells = cells.connect(Service.BLOB)) {
        for (SignedConnection each : List.of(toFiles, toCells)) {
          assertThat(each.send("PUT", "/cost?restype=container", "").status()).isEqualTo(201);
        }
        Map<String, Put> puts = new LinkedHashMap<>();
        puts.put("HDFS client", number -> writeFile(raw, number));
        puts.put("chunks in files", number -> putBlob(toFiles, number));
        puts.put("chunks in cells", number -> putBlob(toCells, number));
        Map<String, List<Turn>> turns = new LinkedHashMap<>();
        for (int turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
          for (Map.Entry<String, Put> put : puts.entrySet()) {
            boolean isClient = put.getKey().equals("HDFS client");
            Map<String, List<Long>> processes = processes(cluster, files, cells);
            Turn done = turn(cluster, processes, isClient, put.getValue(), turn + 100);
            System.out.println((turn < 0 ? "warm-up: " : "") + put.getKey() + ": " + done);
            // What cells leave in memory does not burden the next turn.
            placement.connection().admin().flush(StoreTable.CHUNKS.name(CELLS)).join();
            if (turn >= 0) {
              turns.computeIfAbsent(put.getKey(), key -> new ArrayList<>()).add(done);
            }
          }
        }
        report(turns);
      }
    }
  }

  /** The next server has chunks in cells. */
  private static void removeFolder(Cluster cluster) throws IOException {
    String text = Files.readString(cluster.clientConfig());
    String without = text.replaceAll(" *<property><name>lazuli.chunk.folder<.*\n", "");
    assertThat(without).isNotEqualTo(text);
    Files.writeString(cluster.clientConfig(), without);
  }

  private static void writeFile(ChunkFolder raw, int number) throws IOException {
    ChunkRef name = new ChunkRef(Space.number(SpaceKind.CHUNKS, number));
    try (OutputStream file = raw.create(name, true)) {
      for (int i = 0; i < BLOB_MIB; i++) {
        file.write(PIECE);
      }
    }
  }

  /** A small region server refuses some puts of cells. */
  private static void putBlob(SignedConnection connection, int number) throws IOException {
    Map<String, String> headers = Map.of("x-ms-blob-type", "BlockBlob");
    int status = 503;
    for (int i = 0; i < PUTS_MAX && status == 503; i++) {
      status = connection.send("PUT", "/cost/blob" + number, headers, PIECE, BLOB_MIB).status();
    }
    assertThat(status).isEqualTo(201);
  }

  /**
   * Runs a turn.
   *
   * @param isClient whether this process is the client of HDFS; otherwise it is that of Lazuli, and
   *     does not count
   */
  private static Turn turn(
      Cluster cluster, Map<String, List<Long>> processes, boolean isClient, Put put, int number)
      throws IOException {
    Path folder = cluster.clientConfig().getParent();
    Map<String, Double> before = millis(processes);
    long diskBefore = disk(folder);
    put.run(number);
    Map<String, Double> after = millis(processes);
    after.replaceAll((name, all) -> (all - before.get(name)) / BLOB_MIB);
    after.remove(isClient ? "Lazuli" : "this process");
    PacedClients.pass(Duration.ofSeconds(5));
    return new Turn(after, (double) (disk(folder) - diskBefore) / BLOB_MIB / MIB);
  }

  private static Map<String, List<Long>> processes(
      Cluster cluster, TestAccount files, TestAccount cells) {
    Map<String, List<Long>> pids = new LinkedHashMap<>();
    pids.put("this process", List.of(ProcessHandle.current().pid()));
    pids.put("Lazuli", List.of(files.server().process().pid(), cells.server().process().pid()));
    pids.put("region server", cluster.regionServers().stream().map(ClusterProcess::pid).toList());
    pids.put("data nodes", cluster.dataNodes().stream().map(ClusterProcess::pid).toList());
    return pids;
  }

  /** Returns the processor time of processes, with that of threads that have ended. */
  private static Map<String, Double> millis(Map<String, List<Long>> processes) {
    Map<String, Double> millis = new LinkedHashMap<>();
    processes.forEach(
        (name, pids) ->
            millis.put(
                name,
                pids.stream()
                    .map(pid -> ProcessHandle.of(pid).orElseThrow().info().totalCpuDuration())
                    .mapToDouble(time -> time.orElseThrow().toNanos() / 1e6)
                    .sum()));
    return millis;
  }

  /** Returns the bytes on the disks of the data nodes, for one of the three replicas. */
  private static long disk(Path folder) throws IOException {
    return LongStream.range(0, 3)
            .map(
                node -> {
                  try (Stream<Path> all = Files.walk(folder.resolveSibling("datanode-" + node))) {
                    return all.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })
            .sum()
        / 3;
  }

  private static void report(Map<String, List<Turn>> turns) {
    Map<String, Double> totals = new LinkedHashMap<>();
    turns.forEach(
        (name, all) -> {
          all.sort((one, other) -> Double.compare(one.total(), other.total()));
          Turn median = all.get(all.size() / 2);
          totals.put(name, median.total());
          System.out.printf(
              Locale.ROOT,
              "%s: %.1f ms for each MiB (%.1f to %.1f), %s, %.2f bytes on disk for each%n",
              name,
              median.total(),
              all.get(0).total(),
              all.get(all.size() - 1).total(),
              median.millis,
              median.diskPerByte);
        });
    double ratio = totals.get("chunks in files") / totals.get("HDFS client");
    System.out.printf(
        Locale.ROOT,
        "ratio to the HDFS client: %.2f in files, %.2f in cells%n",
        ratio,
        totals.get("chunks in cells") / totals.get("HDFS client"));
    assertThat(ratio).isLessThan(RATIO_MAX);
  }
}
