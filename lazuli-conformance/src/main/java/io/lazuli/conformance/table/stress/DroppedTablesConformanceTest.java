package io.lazuli.conformance.table.stress;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** The time to delete a table does not depend on its size, and its disk space is soon free. */
@Covers(Area.DURABILITY)
@Tag("own-server")
class DroppedTablesConformanceTest {

  private static final int BATCH_ROWS = 100;

  /** The maximum ratio of the time for a large table to the time for a small one. */
  private static final int RATIO_MAX = 20;

  /** The fastest of several deletions counts, because a busy machine delays some of them. */
  private static final int LARGE_TABLES = 3;

  @TempDir private Path folder;

  @Test
  @Documented("mission T7")
  void aDeletedTableGivesItsDiskBack(TestReporter reporter) {
    fillAndDelete(50_000, reporter);
  }

  @Test
  @Tag("long")
  @Documented("mission T7")
  void aDeletedTableOfAMillionEntitiesGivesItsDiskBack(TestReporter reporter) {
    fillAndDelete(1_000_000, reporter);
  }

  private void fillAndDelete(int entities, TestReporter reporter) {
    try (ServerProcess server =
        ServerProcess.start(AccountUnderTest.serverJar(), folder, "-XX:+UseSerialGC")) {
      WireClient wire = new WireClient(server.account(StorageService.TABLE));
      ScratchTable kept = created(wire, "Kept");
      insertBatch(kept, 0);
      long small = medianDeletionNanos(wire);
      long before = diskBytes();
      for (int i = 0; i < LARGE_TABLES; i++) {
        fill(wire, "Large" + i, entities / BATCH_ROWS / LARGE_TABLES);
      }
      long full = diskBytes() - before;
      long large = Long.MAX_VALUE;
      for (int i = 0; i < LARGE_TABLES; i++) {
        large = Math.min(large, deletionNanos(wire, "Large" + i));
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(100))
          .until(() -> diskBytes() - before < full / 10);
      reporter.publishEntry("disk before", String.valueOf(full));
      reporter.publishEntry("disk after", String.valueOf(diskBytes() - before));
      reporter.publishEntry("answer, ratio", String.valueOf((double) large / small));
      assertThat(large).isLessThan(RATIO_MAX * small);
      assertThat(kept.rows()).hasSize(BATCH_ROWS);
    }
  }

  private static long medianDeletionNanos(WireClient wire) {
    long[] nanos = new long[11];
    for (int i = 0; i < nanos.length; i++) {
      fill(wire, "Small", 1);
      nanos[i] = deletionNanos(wire, "Small");
    }
    Arrays.sort(nanos);
    return nanos[nanos.length / 2];
  }

  private static void fill(WireClient wire, String name, int batches) {
    ScratchTable table = created(wire, name);
    IntStream.range(0, batches).parallel().forEach(i -> insertBatch(table, i));
  }

  /** Deletes a table and returns the time until the answer. The table must be gone by then. */
  private static long deletionNanos(WireClient wire, String name) {
    long begin = System.nanoTime();
    expect(wire.delete("/Tables('" + name + "')").send()).status(204);
    long nanos = System.nanoTime() - begin;
    expect(wire.get("/" + name + "()").send()).error(404, "TableNotFound");
    return nanos;
  }

  private static ScratchTable created(WireClient wire, String name) {
    expect(wire.post("/Tables", "{\"TableName\":\"" + name + "\"}").send()).status(201);
    return new ScratchTable(wire, name);
  }

  /** Inserts random values: compression cannot shrink them, so they take up disk space. */
  private static void insertBatch(ScratchTable table, int number) {
    BatchText batch = table.batch();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < BATCH_ROWS; i++) {
      batch.insert(
          table.name(),
          "{\"PartitionKey\":\"%06d\",\"RowKey\":\"%02d\",\"A\":\"%x%x%x%x\"}"
              .formatted(
                  number,
                  i,
                  random.nextLong(),
                  random.nextLong(),
                  random.nextLong(),
                  random.nextLong()));
    }
    WireAnswer answer = table.wire().batch(batch).send();
    expect(answer).status(202);
    assertThat(answer.text()).doesNotContain("odata.error");
  }

  private long diskBytes() {
    return diskBytes(folder.toFile());
  }

  /** Returns the size of a file or folder. A file that disappears in between counts as 0 bytes. */
  private static long diskBytes(File file) {
    File[] inside = file.listFiles();
    return inside == null
        ? file.length()
        : Stream.of(inside).mapToLong(DroppedTablesConformanceTest::diskBytes).sum();
  }
}
