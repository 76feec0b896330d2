package io.lazuli.conformance.table.stress;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Acknowledged writes survive a kill of the server, and so do continuation tokens and deleted
 * tables.
 */
@Covers(Area.DURABILITY)
@Tag("own-server")
class DurabilityConformanceTest {

  /** The number of kills. The engine's own test, {@code KillFaultIT}, adds another twenty. */
  private static final int KILLS = 10;

  private static final int WRITERS = 8;
  private static final int BATCH_ROWS = 10;

  @TempDir private Path folder;
  private final List<ServerProcess> started = new ArrayList<>();

  @AfterEach
  void killWhatStillRuns() {
    started.forEach(ServerProcess::close);
  }

  /** Starts the server in the folder of this case, with JVM options for a fast start. */
  private ScratchTable open(String name) {
    ServerProcess server =
        ServerProcess.start(AccountUnderTest.serverJar(), folder, "-XX:+UseSerialGC");
    started.add(server);
    return new ScratchTable(new WireClient(server.account(StorageService.TABLE)), name);
  }

  private void kill() {
    started.get(started.size() - 1).kill();
  }

  private static void create(ScratchTable table) {
    expect(table.wire().post("/Tables", "{\"TableName\":\"" + table.name() + "\"}").send())
        .status(201);
  }

  @Test
  @Documented("mission T11: page through 100,000 entities, restart half-way")
  void aStoredTokenWorksAfterARestart() {
    page(100_000);
  }

  @Test
  @Tag("long")
  @Documented("mission T5, T11")
  void aStoredTokenWorksAfterARestartOnAMillionEntities() {
    page(1_000_000);
  }

  private void page(int entities) {
    ScratchTable table = open("Pages");
    create(table);
    int batches = entities / 100;
    IntStream.range(0, batches).parallel().forEach(i -> insertHundred(table, i));
    List<String> seen = new ArrayList<>();
    String token = readPages(table, "", entities / 2000, seen);
    assertThat(token).isNotEmpty();
    kill();
    ScratchTable again = open("Pages");
    assertThat(readPages(again, token, Integer.MAX_VALUE, seen)).isEmpty();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < entities; i++) {
      expected.add("%06d/%02d".formatted(i / 100, i % 100));
    }
    assertThat(seen).isEqualTo(expected);
  }

  private static void insertHundred(ScratchTable table, int number) {
    BatchText batch = table.batch();
    for (int i = 0; i < 100; i++) {
      batch.insert(
          table.name(),
          "{\"PartitionKey\":\"%06d\",\"RowKey\":\"%02d\",\"N\":%d}".formatted(number, i, i));
    }
    WireAnswer answer = table.wire().batch(batch).send();
    expect(answer).status(202);
    assertThat(answer.text()).doesNotContain("odata.error");
  }

  private static String readPages(ScratchTable table, String from, int most, List<String> seen) {
    String token = from;
    for (int page = 0; page < most; page++) {
      WireAnswer answer =
          table
              .query("$select=PartitionKey,RowKey" + token)
              .accept("application/json;odata=nometadata")
              .send();
      expect(answer).status(200);
      answer
          .values()
          .forEach(
              item ->
                  seen.add(
                      item.path("PartitionKey").asText() + "/" + item.path("RowKey").asText()));
      token = ScratchTable.nextPage(answer);
      if (token.isEmpty()) {
        return "";
      }
    }
    return token;
  }

  @Test
  @Documented("mission T16; docs/architecture.md, promises 1 and 3")
  void acknowledgedWritesSurviveAKill(TestReporter reporter) {
    long seed = Long.getLong("conformance.seed", System.nanoTime());
    reporter.publishEntry("conformance.seed", String.valueOf(seed));
    Random random = new Random(seed);
    List<KilledWriter> all = new ArrayList<>();
    for (int round = 0; round < KILLS; round++) {
      ScratchTable table = open("Kills");
      if (round == 0) {
        create(table);
      }
      all.stream().skip(Math.max(0, all.size() - WRITERS)).forEach(w -> w.verify(table, seed));
      all.addAll(writeUntilKilled(table, round, 100 + random.nextInt(300)));
    }
    ScratchTable last = open("Kills");
    all.forEach(writer -> writer.verify(last, seed));
    reporter.publishEntry(
        "acknowledged", String.valueOf(all.stream().mapToInt(KilledWriter::acknowledged).sum()));
    assertThat(all).allMatch(writer -> writer.acknowledged() > 0);
  }

  private List<KilledWriter> writeUntilKilled(ScratchTable table, int round, int millis) {
    List<KilledWriter> writers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      KilledWriter writer = new KilledWriter("r%02dw%d".formatted(round, i), i % 2 == 1);
      writers.add(writer);
      Thread thread = new Thread(() -> writer.writeUntilTheServerIsGone(table), "writer-" + i);
      threads.add(thread);
      thread.start();
    }
    while (writers.stream().anyMatch(writer -> writer.acknowledged() == 0)) {
      Thread.onSpinWait();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    kill();
    threads.forEach(DurabilityConformanceTest::join);
    return writers;
  }

  private static void join(Thread thread) {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(30));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(thread.isAlive()).as(thread.getName()).isFalse();
  }

  /** Writes to its own partition until the server is killed, and counts the acknowledged writes. */
  private static final class KilledWriter {
    private final String partition;
    private final boolean batches;
    private volatile int acknowledged;

    KilledWriter(String partition, boolean batches) {
      this.partition = partition;
      this.batches = batches;
    }

    int acknowledged() {
      return acknowledged;
    }

    void writeUntilTheServerIsGone(ScratchTable table) {
      try {
        for (int number = 0; ; number++) {
          if (batches) {
            writeBatch(table, number);
          } else {
            writeOne(table, number);
          }
          acknowledged = number + 1;
        }
      } catch (UncheckedIOException e) {
        return;
      }
    }

    private void writeOne(ScratchTable table, int number) {
      String row = "%06d".formatted(number);
      String json = "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"}";
      expect(table.insert(json).prefer("return-no-content").send()).status(204);
    }

    /** Writes a batch of ten new rows and a counter that all batches change. */
    private void writeBatch(ScratchTable table, int number) {
      BatchText batch = table.batch();
      for (int i = 0; i < BATCH_ROWS; i++) {
        String row = "%06d-%d".formatted(number, i);
        batch.insert(
            table.name(), "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"}");
      }
      batch.add("PUT", table.path(partition, "counter"), "{\"N\":" + (number + 1) + "}");
      WireAnswer answer = table.wire().batch(batch).send();
      expect(answer).status(202);
      assertThat(answer.parts()).hasSize(BATCH_ROWS + 1);
    }

    /** Expects all acknowledged writes. The last write may be there too, but not in part. */
    void verify(ScratchTable table, long seed) {
      List<String> rows =
          new ArrayList<>(table.rowsMatching("PartitionKey eq '" + partition + "'"));
      int perWrite = batches ? BATCH_ROWS : 1;
      boolean counter = rows.remove("counter");
      int written = rows.size() / perWrite;
      List<String> expected = new ArrayList<>();
      for (int number = 0; number < written; number++) {
        for (int i = 0; i < perWrite; i++) {
          expected.add("%06d".formatted(number) + (batches ? "-" + i : ""));
        }
      }
      assertThat(rows).as("seed %d, %s", seed, partition).isEqualTo(expected);
      assertThat(written)
          .as("seed %d, %s, acknowledged %d", seed, partition, acknowledged)
          .isBetween(acknowledged, acknowledged + 1);
      if (counter) {
        assertThat(table.stored(partition, "counter").path("N").asInt()).isEqualTo(written);
      }
    }
  }

  @Test
  @Documented("mission T7: a deleted table stays deleted, and an ETag never repeats")
  void dropsAndTagsOutliveAKill() {
    ScratchTable table = open("Drops");
    create(table);
    IntStream.range(0, 50).forEach(i -> insertHundred(table, i));
    String before = table.inserted(entity("r"));
    expect(table.wire().delete("/Tables('Drops')").send()).status(204);
    kill();
    ScratchTable again = open("Drops");
    expect(again.query().send()).error(404, "TableNotFound");
    create(again);
    assertThat(again.rows()).isEmpty();
    again.inserted(entity("r"));
    expect(again.wire().put(again.path("p", "r"), "{}").ifMatch(before).send())
        .error(412, "UpdateConditionNotSatisfied");
    kill();
    assertThat(open("Drops").rows()).containsExactly("r");
  }
}
