package io.lazuli.conformance.durability;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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

/** Deleting a table does not wait for its size, and gives its disk back soon. */
@Covers(Area.DURABILITY)
@Tag("own-server")
class DroppedTablesConformanceTest {

  private static final int BATCH_ROWS = 100;

  /** How much longer than for an empty table the answer may take; a busy machine has hiccups. */
  private static final int RATIO_MAX = 20;

  @TempDir private Path folder;

  @Test
  @Documented("mission T7, architecture 2.1")
  void aDeletedTableGivesItsDiskBack(TestReporter reporter) {
    fillAndDelete(50_000, reporter);
  }

  @Test
  @Tag("long")
  @Documented("mission T7, architecture 2.1")
  void aDeletedTableOfAMillionEntitiesGivesItsDiskBack(TestReporter reporter) {
    fillAndDelete(1_000_000, reporter);
  }

  private void fillAndDelete(int entities, TestReporter reporter) {
    try (ServerProcess server =
        ServerProcess.start(
            AccountUnderTest.serverJar(), folder, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")) {
      WireClient wire = new WireClient(server.account(StorageService.TABLE));
      ScratchTable kept = created(wire, "Kept");
      insertBatch(kept, 0);
      long small = medianDeletionNanos(wire);
      long before = diskBytes();
      fill(wire, entities / BATCH_ROWS);
      long full = diskBytes() - before;
      long large = deletionNanos(wire);
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
      fill(wire, 1);
      nanos[i] = deletionNanos(wire);
    }
    Arrays.sort(nanos);
    return nanos[nanos.length / 2];
  }

  private static void fill(WireClient wire, int batches) {
    ScratchTable table = created(wire, "Dropped");
    IntStream.range(0, batches).parallel().forEach(i -> insertBatch(table, i));
  }

  /** How long the answer takes; the table is gone when it is there. */
  private static long deletionNanos(WireClient wire) {
    long begin = System.nanoTime();
    expect(wire.delete("/Tables('Dropped')").send()).status(204);
    long nanos = System.nanoTime() - begin;
    expect(wire.get("/Dropped()").send()).error(404, "TableNotFound");
    return nanos;
  }

  private static ScratchTable created(WireClient wire, String name) {
    expect(wire.post("/Tables", "{\"TableName\":\"" + name + "\"}").send()).status(201);
    return new ScratchTable(wire, name);
  }

  /** What cannot be compressed shows on the disk. */
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
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(DroppedTablesConformanceTest::bytes).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file may go while it is looked at. */
  private static long bytes(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
