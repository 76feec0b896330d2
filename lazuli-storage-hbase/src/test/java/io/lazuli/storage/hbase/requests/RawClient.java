package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.hbase.call.StoreTable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * HBase's own asynchronous client on the rows of {@link Samples}. The next call is sent when the
 * answer to the last one arrives, so no thread waits. Thread-safe.
 */
final class RawClient {
  /** Lazuli's balancer splits a region with so many requests. Calls then fail for a moment. */
  private static final int ATTEMPTS = 20;

  private final AsyncTable<?> table;
  private final List<byte[]> points;
  private final List<byte[]> scans;
  private final AtomicLong fresh = new AtomicLong();

  RawClient(Placement placement) {
    TableName name = Placement.table("tables");
    table = placement.connection().data().getTableBuilder(name).setMaxAttempts(ATTEMPTS).build();
    Map<byte[], Integer> sizes = partitions(placement.rows(name));
    points = ofSize(sizes, 1);
    scans = ofSize(sizes, Samples.SCANNED);
  }

  /** Returns the first key of each partition, and how many rows the partition has. */
  private static Map<byte[], Integer> partitions(SortedSet<byte[]> rows) {
    Map<byte[], byte[]> first = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    Map<byte[], Integer> sizes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (byte[] row : rows) {
      int end = row.length - 1;
      while (row[end] != 0) {
        end--;
      }
      byte[] key = first.computeIfAbsent(Arrays.copyOf(row, end), partition -> row);
      sizes.merge(key, 1, Integer::sum);
    }
    return sizes;
  }

  private static List<byte[]> ofSize(Map<byte[], Integer> sizes, int size) {
    return sizes.entrySet().stream()
        .filter(each -> each.getValue() == size)
        .map(Map.Entry::getKey)
        .toList();
  }

  CompletableFuture<?> get() {
    return table
        .get(new Get(some(points)))
        .thenAccept(result -> assertThat(result.isEmpty()).isFalse());
  }

  CompletableFuture<?> scan() {
    Scan scan =
        new Scan()
            .withStartRow(some(scans))
            .setReadType(Scan.ReadType.PREAD)
            .setCaching(Samples.SCANNED)
            .setLimit(Samples.SCANNED);
    return table.scanAll(scan).thenAccept(all -> assertThat(all).hasSize(Samples.SCANNED));
  }

  /** Puts a new row durably. */
  CompletableFuture<?> put() {
    return table.put(newPut());
  }

  /** Puts a new row durably, after a check that it does not exist. */
  CompletableFuture<?> insert() {
    Put put = newPut();
    CheckAndMutate absent =
        CheckAndMutate.newBuilder(put.getRow())
            .ifNotExists(StoreTable.FAMILY, StoreTable.QUALIFIER)
            .build(put);
    return table
        .checkAndMutate(absent)
        .thenAccept(result -> assertThat(result.isSuccess()).isTrue());
  }

  /** Returns a put whose key is after all keys of the engine. */
  private Put newPut() {
    byte[] value = new byte[Samples.VALUE_BYTES];
    ThreadLocalRandom.current().nextBytes(value);
    return new Put(("\u00ff" + fresh.incrementAndGet()).getBytes(UTF_8))
        .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, value)
        .setDurability(Durability.FSYNC_WAL);
  }

  private static byte[] some(List<byte[]> keys) {
    return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
  }

  /** Makes calls for some time, several at a time, and returns their number. Blocks. */
  static long run(Supplier<CompletableFuture<?>> call, int atOnce, Duration length) {
    long end = System.nanoTime() + length.toNanos();
    LongAdder count = new LongAdder();
    CompletableFuture<?>[] chains = new CompletableFuture<?>[atOnce];
    for (int i = 0; i < atOnce; i++) {
      CompletableFuture<Void> chain = new CompletableFuture<>();
      chains[i] = chain;
      next(call, end, count, chain);
    }
    CompletableFuture.allOf(chains).join();
    return count.sum();
  }

  private static void next(
      Supplier<CompletableFuture<?>> call,
      long end,
      LongAdder count,
      CompletableFuture<Void> chain) {
    if (System.nanoTime() - end >= 0) {
      chain.complete(null);
      return;
    }
    CompletableFuture<?> unused =
        call.get()
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    chain.completeExceptionally(failure);
                    return;
                  }
                  count.increment();
                  next(call, end, count, chain);
                });
  }
}
