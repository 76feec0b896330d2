package io.lazuli.conformance.table.stress;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.support.Crowd;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Many clients use the same entities: no write is lost, and no transaction is visible in part. */
@Covers(Area.CONCURRENCY)
class ConcurrencyConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  @Test
  @Documented("mission T13: 16 writers, one counter")
  void noIncrementOfACounterIsLost() {
    int threads = 16;
    int increments = 25;
    table.inserted(entity("counter", "\"N\":0"));
    List<Integer> conflicts = Crowd.run(threads, i -> () -> increment(increments));
    assertThat(table.stored("p", "counter").path("N").asInt()).isEqualTo(threads * increments);
    assertThat(conflicts.stream().mapToInt(Integer::intValue).sum()).isPositive();
  }

  /** Increments the counter with conditional writes and returns the number of conflicts. */
  private int increment(int times) {
    int conflicts = 0;
    for (int done = 0; done < times; ) {
      WireAnswer read = table.read("p", "counter").send();
      int next = read.json().path("N").asInt() + 1;
      WireAnswer written =
          table
              .wire()
              .put(table.path("p", "counter"), "{\"N\":" + next + "}")
              .ifMatch(read.etag())
              .send();
      if (written.status() == 204) {
        done++;
      } else {
        expect(written).error(412, "UpdateConditionNotSatisfied");
        conflicts++;
      }
    }
    return conflicts;
  }

  @Test
  @Documented("mission T3")
  void ofManyInsertsOfOneEntityOneSucceeds() {
    for (int round = 0; round < 20; round++) {
      String json = entity("r" + round);
      List<Integer> statuses = Crowd.run(8, i -> () -> table.insert(json).send().status());
      assertThat(statuses).containsOnly(201, 409).containsOnlyOnce(201);
    }
  }

  @Test
  @Documented("mission T14, table-rest 1: concurrent readers see none or all")
  void transactionsOnTheSameEntitiesAreSeenWholeOrNotAtAll() {
    List<String> rows = List.of("a", "b", "c", "d", "e");
    rows.forEach(row -> table.inserted(entity(row, "\"Writer\":-1")));
    AtomicBoolean writing = new AtomicBoolean(true);
    List<Integer> seen =
        Crowd.run(
            8,
            i ->
                i < 5
                    ? () -> writeAll(rows, i, i == 0 ? writing : new AtomicBoolean())
                    : () -> readAll(rows, writing));
    assertThat(seen.subList(5, 8)).allMatch(reads -> reads > 0);
  }

  /**
   * Upserts all rows with one value in one batch, many times. Each writer has its own order of
   * rows.
   */
  private int writeAll(List<String> rows, int writer, AtomicBoolean writing) {
    for (int round = 0; round < 60; round++) {
      BatchText batch = table.batch();
      for (int i = 0; i < rows.size(); i++) {
        String row = rows.get((i + writer) % rows.size());
        String value = "{\"Writer\":" + (writer * 1000 + round) + "}";
        batch.add(writer % 2 == 0 ? "PUT" : "MERGE", table.path("p", row), value);
      }
      WireAnswer answer = table.wire().batch(batch).send();
      expect(answer).status(202);
      assertThat(answer.parts()).hasSize(rows.size());
    }
    writing.set(false);
    return 0;
  }

  private int readAll(List<String> rows, AtomicBoolean writing) {
    int reads = 0;
    while (writing.get() || reads == 0) {
      JsonNode page = table.query("$filter=PartitionKey%20eq%20'p'").send().values();
      Set<String> values = new HashSet<>(page.findValuesAsText("Writer"));
      assertThat(page).hasSize(rows.size());
      assertThat(values).as("a transaction is visible in part").hasSize(1);
      reads++;
    }
    return reads;
  }

  @Test
  @Documented("mission T14")
  void ofConflictingTransactionsEachDoesAllOrNothing() {
    int rounds = 15;
    Crowd.run(
        6,
        writer ->
            () -> {
              for (int round = 0; round < rounds; round++) {
                claim(writer, round);
              }
              return 0;
            });
    for (int round = 0; round < rounds; round++) {
      JsonNode claimed =
          table
              .filter("RowKey ge 'r%02d' and RowKey lt 'r%02dz'".formatted(round, round))
              .send()
              .values();
      assertThat(claimed).hasSize(3);
      assertThat(new HashSet<>(claimed.findValuesAsText("Owner"))).hasSize(1);
    }
  }

  private void claim(int writer, int round) {
    BatchText batch = table.batch();
    for (String part : List.of("a", "b", "c")) {
      batch.insert(table.name(), entity("r%02d".formatted(round) + part, "\"Owner\":" + writer));
    }
    List<WireAnswer> parts = table.wire().batch(batch).send().parts();
    if (parts.size() == 1) {
      expect(parts.get(0)).error(409, "EntityAlreadyExists");
    } else {
      assertThat(parts).hasSize(3).allMatch(part -> part.status() == 204);
    }
  }

  @Test
  @Documented("mission T16: a read sees every write acknowledged before it")
  void aReadSeesWhatWasAcknowledged() {
    Callable<Integer> check =
        () -> {
          String row = Thread.currentThread().getName();
          for (int i = 0; i < 50; i++) {
            table.wire().put(table.path("p", row), "{\"N\":" + i + "}").send();
            assertThat(table.stored("p", row).path("N").asInt()).isEqualTo(i);
            assertThat(table.rowsMatching("RowKey eq '" + row + "' and N eq " + i)).hasSize(1);
          }
          return 0;
        };
    Crowd.run(8, i -> check);
  }

  @Test
  @Documented("table-rest 6.4; docs/architecture.md, Storage: writes that race a delete")
  void aTableMayBeDeletedAndMadeAgainUnderLoad() {
    AtomicBoolean running = new AtomicBoolean(true);
    Crowd.run(6, i -> i == 0 ? () -> recreate(running) : () -> writeUnderLoad(i, running));
    expect(table.query().send()).status(200);
  }

  private int recreate(AtomicBoolean running) {
    for (int i = 0; i < 30; i++) {
      expect(table.wire().delete("/Tables('" + table.name() + "')").send()).status(204);
      expect(table.wire().post("/Tables", "{\"TableName\":\"" + table.name() + "\"}").send())
          .status(201);
      assertThat(table.query("$top=1").send().status()).isEqualTo(200);
    }
    running.set(false);
    return 0;
  }

  /**
   * Writes and reads while the table is deleted and created. Every answer must be a success or
   * TableNotFound.
   */
  private int writeUnderLoad(int writer, AtomicBoolean running) {
    int written = 0;
    while (running.get()) {
      WireAnswer answer =
          table.wire().put(table.path("p", writer + "-" + written % 100), "{}").send();
      if (answer.status() != 204) {
        expect(answer).error(404, "TableNotFound");
      }
      WireAnswer read = table.query("$top=5").send();
      if (read.status() != 200) {
        expect(read).error(404, "TableNotFound");
      }
      written++;
    }
    return written;
  }
}
