package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StoreCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Measures how much of a cut is new after a part of the records has changed. */
class CutSizeTest {
  private static final int PARTITIONS = Integer.getInteger("cut.partitions", 200);
  private static final int CHANGED_PARTITIONS = PARTITIONS / 100;
  private static final int PARTITION_ROWS = 500;
  private static final int VALUE_BYTES = 400;
  private static final int CHANGES = 8;

  private static final Partition HOME = new Partition(Space.CATALOGUE, bytes("home/table"));
  private static final Space TABLE = new Space(Space.number(SpaceKind.TABLE, 1), HOME);

  @TempDir private Path folder;
  private final Random random = new Random(1);
  private Set<StoreCut.File> before = new HashSet<>();

  /** A key range is some partitions in a row, with a hundredth of the records. */
  @Test
  void aChangedKeyRangeMakesASmallCut() throws IOException {
    EngineConfig config = EngineConfig.of(folder).withMemoryBytes(24 << 20);
    try (RocksDbEngine engine = RocksDbEngine.open(config)) {
      fill(engine);
    }
    // A start chooses the length of table files by the length of the store.
    try (RocksDbEngine engine = RocksDbEngine.open(config)) {
      fill(engine);
      // The flush of a cut may cause compactions of what was written before.
      awaitCompaction(engine);
      newShare(engine);
      awaitCompaction(engine);
      newShare(engine);
      StringBuilder shares = new StringBuilder();
      for (int i = 0; i < CHANGES; i++) {
        int first = random.nextInt(PARTITIONS - CHANGED_PARTITIONS);
        for (int partition = first; partition < first + CHANGED_PARTITIONS; partition++) {
          write(engine, partition, allRows());
        }
        double share = newShare(engine);
        shares.append(text(share));
        if (i == 0) {
          assertThat(share).isLessThanOrEqualTo(0.03);
        }
        awaitCompaction(engine);
      }
      Map<Integer, Set<Integer>> scattered = new HashMap<>();
      for (int i = 0; i < PARTITIONS * PARTITION_ROWS / 100; i++) {
        scattered
            .computeIfAbsent(random.nextInt(PARTITIONS), none -> new TreeSet<>())
            .add(random.nextInt(PARTITION_ROWS));
      }
      scattered.forEach((partition, rows) -> write(engine, partition, rows));
      double scatteredShare = newShare(engine);
      awaitCompaction(engine);
      System.out.printf(
          "new in a cut after changing 1 %% of the records: one key range%s; random records%s, and"
              + " after compactions%s more%n",
          shares, text(scatteredShare), text(newShare(engine)));
    }
  }

  private static String text(double share) {
    return String.format(Locale.ROOT, " %.1f %%", share * 100);
  }

  private void fill(RocksDbEngine engine) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      write(engine, partition, allRows());
    }
  }

  private static Set<Integer> allRows() {
    Set<Integer> rows = new TreeSet<>();
    for (int row = 0; row < PARTITION_ROWS; row++) {
      rows.add(row);
    }
    return rows;
  }

  private void write(RocksDbEngine engine, int partition, Set<Integer> rows) {
    Partition target = new Partition(TABLE, bytes("p%06d".formatted(partition)));
    CompletableFuture<Boolean> written =
        engine.transact(
            target,
            List.of(),
            Deadline.NEVER,
            view -> {
              for (int row : rows) {
                byte[] value = new byte[VALUE_BYTES];
                random.nextBytes(value);
                view.put(Bytes.of(ByteBuffer.allocate(4).putInt(row).array()), value);
              }
              return true;
            });
    assertThat(written.join()).isTrue();
  }

  /** Returns the share of the bytes of a new cut that the cut before does not have. */
  private double newShare(RocksDbEngine engine) throws IOException {
    Set<StoreCut.File> found = new HashSet<>();
    try (StoreCut cut = engine.cut()) {
      cut.forEach(found::add);
    }
    long all = found.stream().mapToLong(StoreCut.File::length).sum();
    long added =
        found.stream()
            .filter(file -> !file.isLasting() || !before.contains(file))
            .mapToLong(StoreCut.File::length)
            .sum();
    before = found;
    return (double) added / all;
  }

  private static void awaitCompaction(RocksDbEngine engine) {
    await()
        .until(
            () ->
                property(engine, "rocksdb.compaction-pending") == 0
                    && property(engine, "rocksdb.num-running-compactions") == 0
                    && property(engine, "rocksdb.num-running-flushes") == 0);
  }

  private static long property(RocksDbEngine engine, String name) throws RocksDBException {
    long sum = 0;
    for (Family family : Family.values()) {
      sum += engine.store().db().getLongProperty(engine.store().handle(family), name);
    }
    return sum;
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
