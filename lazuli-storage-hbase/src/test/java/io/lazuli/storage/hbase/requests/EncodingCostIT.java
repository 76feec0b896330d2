package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.hbase.call.StoreTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The processor time of a region server for a get and for a scan, with different encodings and
 * sizes of blocks, in alternating turns. Prints figures; the bound only detects a failure.
 */
@Tag("long")
final class EncodingCostIT {
  private static final int ROWS = 20_000;
  private static final int SCANNED = 100;
  private static final int CALLS = 64;
  private static final int TURNS = Integer.getInteger("cost.turns", 5);
  private static final Duration TURN = Duration.ofSeconds(1);

  private record Form(DataBlockEncoding encoding, int blockBytes) {
    TableName table() {
      return TableName.valueOf("f-" + encoding + "-" + blockBytes);
    }
  }

  private static final List<Form> FORMS =
      List.of(
          new Form(DataBlockEncoding.FAST_DIFF, 64 << 10),
          new Form(DataBlockEncoding.NONE, 64 << 10),
          new Form(DataBlockEncoding.NONE, 16 << 10),
          new Form(DataBlockEncoding.NONE, 8 << 10),
          new Form(DataBlockEncoding.ROW_INDEX_V1, 64 << 10),
          new Form(DataBlockEncoding.ROW_INDEX_V1, 16 << 10),
          new Form(DataBlockEncoding.ROW_INDEX_V1, 8 << 10));

  @Test
  void getsAndScans() {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1));
        Placement placement = new Placement(cluster)) {
      Map<Form, AsyncTable<?>> tables = new LinkedHashMap<>();
      FORMS.forEach(form -> tables.put(form, create(placement, form)));
      Map<String, List<Double>> costs = new LinkedHashMap<>();
      for (int turn = -2; turn < TURNS; turn++) {
        boolean counts = turn >= 0;
        tables.forEach(
            (form, table) -> {
              double get = cost(cluster, () -> get(table));
              double scan = cost(cluster, () -> scan(table));
              if (counts) {
                costs.computeIfAbsent(form + " get", key -> new ArrayList<>()).add(get);
                costs.computeIfAbsent(form + " scan", key -> new ArrayList<>()).add(scan);
              }
            });
      }
      costs.forEach(EncodingCostIT::print);
    }
  }

  private static void print(String name, List<Double> costs) {
    costs.sort(null);
    System.out.printf(
        Locale.ROOT,
        "%s: %.1f µs (%.1f to %.1f)%n",
        name,
        costs.get(TURNS / 2),
        costs.get(0),
        costs.get(TURNS - 1));
    assertThat(costs.get(0)).isPositive();
  }

  private static AsyncTable<?> create(Placement placement, Form form) {
    placement
        .connection()
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(form.table())
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(StoreTable.FAMILY)
                        .setBloomFilterType(BloomType.ROW)
                        .setDataBlockEncoding(form.encoding)
                        .setBlocksize(form.blockBytes)
                        .build())
                .build())
        .join();
    AsyncTable<?> table =
        placement.connection().data().getTableBuilder(form.table()).setMaxAttempts(20).build();
    Random random = new Random(form.blockBytes);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] value = new byte[Samples.VALUE_BYTES];
      random.nextBytes(value);
      puts.add(new Put(key(i)).addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, value));
      if (puts.size() == 1_000) {
        table.putAll(puts).join();
        puts.clear();
      }
    }
    placement.connection().admin().flush(form.table()).join();
    return table;
  }

  private static byte[] key(int row) {
    return String.format("partition-%05d\0row", row).getBytes(UTF_8);
  }

  private static CompletableFuture<?> get(AsyncTable<?> table) {
    return table
        .get(new Get(key(ThreadLocalRandom.current().nextInt(ROWS))))
        .thenAccept(result -> assertThat(result.isEmpty()).isFalse());
  }

  private static CompletableFuture<?> scan(AsyncTable<?> table) {
    Scan scan =
        new Scan()
            .withStartRow(key(ThreadLocalRandom.current().nextInt(ROWS - SCANNED)))
            .setReadType(Scan.ReadType.PREAD)
            .setCaching(SCANNED)
            .setLimit(SCANNED);
    return table.scanAll(scan).thenAccept(all -> assertThat(all).hasSize(SCANNED));
  }

  /** Returns the processor time of the region server for each call, in microseconds. */
  private static double cost(Cluster cluster, Supplier<CompletableFuture<?>> call) {
    ProcessorTime.Snapshot before = ProcessorTime.now(cluster, List.of());
    long done = RawClient.run(call, CALLS, TURN);
    return ProcessorTime.now(cluster, List.of()).since(before).regionServers() / 1e3 / done;
  }
}
