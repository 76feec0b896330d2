package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.storage.hbase.FilterJars;
import io.lazuli.storage.hbase.call.StoreTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The processor time of a query that reads all entities of a table and finds one, by Lazuli, region
 * servers and client together: with the filter at the region server, without it, and of HBase's own
 * scan of the same table with a filter that keeps nothing. Alternating turns of one run. Prints the
 * figures. The bound detects a collapse; it does not judge a machine.
 */
@Tag("long")
final class FilterCostIT {
  private static final int ENTITIES = Integer.getInteger("cost.entities", 100_000);
  private static final int TURNS = Integer.getInteger("cost.turns", 9);
  private static final int WARM_UP_TURNS = Integer.getInteger("cost.warm-up", 12);
  private static final int SCANS = 4;
  private static final int PARTITION_ROWS = 1_000;
  private static final int UPLOADERS = 16;
  private static final String TABLE = "Orders";
  private static final double RATIO_MAX = 3;

  private interface Scanning {
    void scan() throws IOException;
  }

  @Test
  void aQueryWithOneHitComparedWithAScanOfHBase() throws IOException {
    try (Cluster cluster =
            Cluster.start(
                PackedServers.spec(Integer.getInteger("cost.servers", 1))
                    .withJars(FilterJars.all()));
        Placement placement = new Placement(cluster)) {
      PackedServers.set(cluster, "lazuli.balance", "off");
      TestAccount with = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      PackedServers.set(cluster, "lazuli.pushdown", "off");
      TestAccount without = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      store(with);
      placement.connection().admin().flush(Placement.table("tables")).join();
      AsyncTable<?> table =
          placement.connection().data().getTableBuilder(Placement.table("tables")).build();
      try (SignedConnection filtered = with.connect(Service.TABLE);
          SignedConnection plain = without.connect(Service.TABLE)) {
        Map<String, Scanning> scans = new LinkedHashMap<>();
        scans.put("hbase", () -> raw(table));
        scans.put("lazuli", () -> query(filtered));
        scans.put("lazuli, without pushdown", () -> query(plain));
        measure(cluster, List.of(with, without), scans);
      }
    }
  }

  private static void measure(
      Cluster cluster, List<TestAccount> servers, Map<String, Scanning> scans) throws IOException {
    Map<String, List<ProcessorTime>> times = new LinkedHashMap<>();
    Map<String, List<Double>> walls = new LinkedHashMap<>();
    for (int turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      for (Map.Entry<String, Scanning> each : scans.entrySet()) {
        ProcessorTime.Snapshot before = ProcessorTime.now(cluster, servers);
        long begin = System.nanoTime();
        for (int scan = 0; scan < SCANS; scan++) {
          each.getValue().scan();
        }
        double wall = (System.nanoTime() - begin) / 1e6 / SCANS;
        ProcessorTime used = ProcessorTime.now(cluster, servers).since(before);
        if (turn >= 0) {
          times.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(used);
          walls.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(wall);
        }
      }
    }
    List<ProcessorTime> own = times.get("hbase");
    for (Map.Entry<String, List<ProcessorTime>> each : times.entrySet()) {
      List<ProcessorTime> mine = each.getValue();
      List<Double> ratios =
          IntStream.range(0, TURNS)
              .mapToObj(turn -> all(mine.get(turn)) / all(own.get(turn)))
              .sorted()
              .toList();
      System.out.printf(
          Locale.ROOT,
          "%s: %.0f + %.0f + %.0f ms (region servers, Lazuli, client), %.0f ms of time;"
              + " %.2f x (%.2f to %.2f) HBase's own scan%n",
          each.getKey(),
          median(mine.stream().map(time -> time.regionServers() / 1e6 / SCANS).toList()),
          median(mine.stream().map(time -> time.servers() / 1e6 / SCANS).toList()),
          median(mine.stream().map(time -> time.self() / 1e6 / SCANS).toList()),
          median(walls.get(each.getKey())),
          ratios.get(TURNS / 2),
          ratios.get(0),
          ratios.get(TURNS - 1));
      if (each.getKey().equals("lazuli")) {
        assertThat(ratios.get(TURNS / 2)).isLessThan(RATIO_MAX);
      }
    }
  }

  private static double all(ProcessorTime time) {
    return time.regionServers() + time.servers() + time.self();
  }

  private static double median(List<Double> figures) {
    return figures.stream().sorted().toList().get(figures.size() / 2);
  }

  /** A scan as a client of HBase would write it, with HBase's own choice of the size of answers. */
  private static void raw(AsyncTable<?> table) {
    Scan scan =
        new Scan()
            .addFamily(StoreTable.FAMILY)
            .setFilter(
                new ValueFilter(
                    CompareOperator.EQUAL, new BinaryComparator("no such value".getBytes(UTF_8))));
    assertThat(table.scanAll(scan).join()).isEmpty();
  }

  private static void query(SignedConnection connection) throws IOException {
    String query = "/" + TABLE + "()?$filter=Serial%20eq%20" + (ENTITIES * 3 / 4);
    int found = 0;
    int read = 0;
    String next = "";
    do {
      Answer answer = connection.send("GET", query + next, "");
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      found += answer.text().split("\"Serial\":", -1).length - 1;
      String plan = connection.header("x-lazuli-plan");
      read += Integer.parseInt(plan.substring(plan.indexOf('=') + 1));
      String partition = connection.header("x-ms-continuation-nextpartitionkey");
      String row = connection.header("x-ms-continuation-nextrowkey");
      next =
          partition.isEmpty()
              ? ""
              : "&NextPartitionKey=" + partition + (row.isEmpty() ? "" : "&NextRowKey=" + row);
    } while (!next.isEmpty());
    assertThat(found).isEqualTo(1);
    assertThat(read).isEqualTo(ENTITIES);
  }

  /** Stores the entities of a shop: ten properties of all kinds. */
  private static void store(TestAccount account) throws IOException {
    try (SignedConnection connection = account.connect(Service.TABLE)) {
      Answer answer = connection.send("POST", "/Tables", "{\"TableName\":\"" + TABLE + "\"}");
      assertThat(answer.status()).as(answer.text()).isEqualTo(204);
    }
    AtomicInteger next = new AtomicInteger();
    CompletableFuture<?>[] uploads = new CompletableFuture<?>[UPLOADERS];
    for (int i = 0; i < UPLOADERS; i++) {
      uploads[i] = new CompletableFuture<Void>();
      CompletableFuture<?> upload = uploads[i];
      Thread thread = new Thread(() -> upload(account, next, upload), "upload-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    CompletableFuture.allOf(uploads).join();
  }

  private static void upload(TestAccount account, AtomicInteger next, CompletableFuture<?> end) {
    try (SignedConnection connection = account.connect(Service.TABLE)) {
      for (int number = next.getAndIncrement();
          number < ENTITIES;
          number = next.getAndIncrement()) {
        Answer answer = connection.send("POST", "/" + TABLE, entity(number));
        while (answer.isRefused()) {
          answer = connection.send("POST", "/" + TABLE, entity(number));
        }
        assertThat(answer.status()).as(answer.text()).isIn(204, 409);
      }
      end.complete(null);
    } catch (IOException e) {
      end.completeExceptionally(new UncheckedIOException(e));
    } catch (Throwable e) {
      end.completeExceptionally(e);
    }
  }

  private static String entity(int number) {
    return String.format(
        Locale.ROOT,
        "{\"PartitionKey\":\"shop-%04d\",\"RowKey\":\"order-%08d\",\"Serial\":%d,"
            + "\"Customer\":\"customer-%06d\",\"Country\":\"Country %d\",\"Amount\":%d.5,"
            + "\"Paid\":%b,\"Created\":\"2026-11-%02dT10:00:00Z\","
            + "\"Created@odata.type\":\"Edm.DateTime\",\"Weight\":\"%d\","
            + "\"Weight@odata.type\":\"Edm.Int64\",\"Street\":\"%d Long Street of the Town\","
            + "\"Note\":\"please ring twice, then leave it next to the door (%d)\","
            + "\"Status\":\"delivered\"}",
        number / PARTITION_ROWS,
        number,
        number,
        number * 7 % 100_000,
        number % 40,
        number % 1_000,
        number % 3 == 0,
        1 + number % 28,
        number * 11L,
        number % 300,
        number);
  }
}
