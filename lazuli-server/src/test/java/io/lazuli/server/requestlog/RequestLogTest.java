package io.lazuli.server.requestlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.work.WorkBoard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way of a line from a finished request to a blob, until the blob is old and deleted. */
class RequestLogTest {
  private static final String FIRST = "table/2026/07/31/1800/000000.log";
  private static final String SECOND = "table/2026/07/31/1800/000001.log";

  @Test
  void aRequestIsALineInTheBlobOfItsHour() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      logs.ended(new TestRequest());
      assertThat(logs.names("acme")).isEmpty();
      logs.log.flush();
      assertThat(logs.names("acme")).containsExactly(FIRST);
      assertThat(logs.lines("acme", FIRST))
          .singleElement()
          .asString()
          .startsWith("1.0;2026-07-31T18:21:45.9610000Z;QueryEntities;Success;200;39;22;");
      assertThat(logs.log.writtenLines()).isEqualTo(1);
    }
  }

  @Test
  void whereNothingIsToBeLoggedThereIsNoContainer() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      TestRequest request = new TestRequest();
      request.selection = null;
      logs.ended(request);
      logs.log.flush();
      ListContainers all = new ListContainers("", "", 10, true);
      ContainerPage page =
          (ContainerPage)
              logs.blobs
                  .execute(all, new Caller("acme", false), Deadline.after(Duration.ofSeconds(30)))
                  .toCompletableFuture()
                  .join();
      assertThat(page.containers()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"true,false,false,read", "false,true,false,write", "false,false,true,delete"})
  void eachSwitchLogsItsOwnKind(boolean read, boolean write, boolean delete, String kind) {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      for (String operation : List.of("QueryEntity", "InsertEntity", "DeleteEntity")) {
        TestRequest request = new TestRequest();
        request.operation = operation;
        request.selection = new LogSelection("1.0", read, write, delete);
        logs.ended(request);
      }
      logs.log.flush();
      assertThat(logs.lines("acme", FIRST)).hasSize(1);
      assertThat(logs.properties("acme", FIRST).metadata()).containsEntry("LogType", kind);
    }
  }

  @Test
  void metadataTellWhatIsInABlob() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      TestRequest insert = new TestRequest();
      insert.operation = "InsertEntity";
      logs.ended(insert);
      logs.log.flush();
      assertThat(logs.properties("acme", FIRST).metadata())
          .containsExactly(
              entry("LogType", "write"),
              entry("StartTime", "2026-07-31T18:21:45Z"),
              entry("EndTime", "2026-07-31T18:21:45Z"),
              entry("LogVersion", "1.0"));
      logs.setTime("2026-07-31T18:40:00Z");
      logs.ended(new TestRequest());
      logs.log.flush();
      assertThat(logs.properties("acme", FIRST).metadata())
          .containsAllEntriesOf(Map.of("LogType", "read,write", "EndTime", "2026-07-31T18:39:59Z"));
      assertThat(logs.properties("acme", FIRST).http().contentType()).isEqualTo("text/plain");
    }
  }

  /** The hour in which a request ends counts, not the hour in which it began. */
  @Test
  void anotherHourIsAnotherBlobAndTheOldOneIsSealed() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      logs.ended(new TestRequest());
      logs.log.flush();
      logs.setTime("2026-07-31T19:00:00.01Z");
      logs.ended(new TestRequest());
      logs.log.flush();
      assertThat(logs.names("acme")).containsExactly(FIRST, "table/2026/07/31/1900/000000.log");
      assertThat(logs.lines("acme", "table/2026/07/31/1900/000000.log").get(0))
          .startsWith("1.0;2026-07-31T18:59:59.");
      assertThat(logs.properties("acme", FIRST).content().sealed()).isTrue();
    }
  }

  @Test
  void servicesAndAccountsHaveBlobsOfTheirOwn() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      for (String service : List.of("blob", "queue", "table")) {
        TestRequest request = new TestRequest();
        request.service = service;
        logs.ended(request);
      }
      TestRequest other = new TestRequest();
      other.account = "other";
      logs.ended(other);
      logs.log.flush();
      assertThat(logs.names("acme"))
          .containsExactly(
              "blob/2026/07/31/1800/000000.log", "queue/2026/07/31/1800/000000.log", FIRST);
      assertThat(logs.names("other")).containsExactly(FIRST);
    }
  }

  @Test
  void aFullQueueDropsLinesAndCountsThem() {
    LogsUnderTest logs = new LogsUnderTest("memory", Path.of("unused"), 4 << 10);
    try (logs) {
      for (int i = 0; i < 100; i++) {
        logs.ended(new TestRequest());
      }
      logs.log.flush();
      long dropped = logs.log.droppedLines();
      assertThat(dropped).isBetween(80L, 99L);
      assertThat(logs.lines("acme", FIRST)).hasSize((int) (100 - dropped));
      logs.ended(new TestRequest());
      logs.log.flush();
      assertThat(logs.log.droppedLines()).isEqualTo(dropped);
      assertThat(logs.lines("acme", FIRST)).hasSize((int) (101 - dropped));
    }
  }

  @Test
  void aLineBeingStoredStillCountsAsWaiting() {
    LogQueue queue = new LogQueue(4 << 10);
    LoggedRequest request = new TestRequest().startedAt("2026-07-31T18:21:46Z");
    LineBytes line = new LogLineWriter().line(request);
    while (queue.dropped() == 0) {
      queue.offer(request.log(null), request, line);
    }
    queue.cut();
    LogLines block = queue.poll();
    assertThat(block.count()).isBetween(5, 20);
    assertThat(queue.poll()).isNull();
    queue.offer(request.log(null), request, line);
    assertThat(queue.dropped()).isEqualTo(2);
    queue.release(block);
    queue.offer(request.log(null), request, line);
    assertThat(queue.dropped()).isEqualTo(2);
  }

  @Test
  void aLineThatTheStoreRefusesIsDroppedAndCounted() {
    LogsUnderTest logs = LogsUnderTest.inMemory();
    logs.ended(new TestRequest());
    logs.engine.close();
    logs.log.flush();
    assertThat(logs.log.droppedLines()).isEqualTo(1);
    assertThat(logs.log.writtenLines()).isZero();
  }

  @Test
  void aBlobThatItsOwnerDeletesHasASuccessor() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      logs.ended(new TestRequest());
      logs.log.flush();
      logs.delete("acme", FIRST);
      logs.ended(new TestRequest());
      logs.log.flush();
      assertThat(logs.names("acme")).containsExactly(SECOND);
      assertThat(logs.log.droppedLines()).isZero();
    }
  }

  @Test
  void aFullBlobThatCannotBeClosedHasASuccessor() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      LogFile.Key key = new LogFile.Key("acme", "table", "1.0", 496_122);
      LogFile file = new LogFile(key, logs.logBlobs, 1);
      file.append(oneLine(key));
      String full = logs.names("acme").get(0);
      logs.delete("acme", full);
      file.append(oneLine(key));
      assertThat(logs.names("acme")).hasSize(1).doesNotContain(full);
      assertThat(logs.lines("acme", logs.names("acme").get(0))).hasSize(1);
    }
  }

  private static LogLines oneLine(LogFile.Key key) {
    LogLines lines = new LogLines(key);
    LoggedRequest request = new TestRequest().startedAt("2026-07-31T18:21:46Z");
    lines.add(request, new LogLineWriter().line(request));
    return lines;
  }

  @Test
  void largeBlocksHoldWholeLines() {
    LogsUnderTest logs = new LogsUnderTest("memory", Path.of("unused"), 64 << 20);
    try (logs) {
      TestRequest request = new TestRequest();
      request.headers.put("User-Agent", "u".repeat(2_000));
      for (int i = 0; i < 1_000; i++) {
        logs.ended(request);
      }
      logs.log.flush();
      assertThat(logs.properties("acme", FIRST).content().blocks()).isEqualTo(2);
      assertThat(logs.lines("acme", FIRST))
          .hasSize(1_000)
          .allSatisfy(line -> assertThat(LogLineWriterTest.fields(line)).hasSize(30));
    }
  }

  @Test
  void aFlushedLineSurvivesACrash(@TempDir Path folder) {
    LogsUnderTest before = new LogsUnderTest("rocksdb", folder, 1 << 20);
    before.ended(new TestRequest());
    before.log.flush();
    before.ended(new TestRequest());
    // Only the store is closed, as in a crash; it keeps what it has acknowledged.
    before.engine.close();
    try (LogsUnderTest after = new LogsUnderTest("rocksdb", folder, 1 << 20)) {
      assertThat(after.lines("acme", FIRST)).hasSize(1);
      after.ended(new TestRequest());
      after.log.flush();
      assertThat(after.names("acme")).containsExactly(FIRST, SECOND);
      assertThat(after.lines("acme", SECOND)).hasSize(1);
    }
  }

  @Test
  void closingStoresWhatWaits(@TempDir Path folder) {
    LogsUnderTest before = new LogsUnderTest("rocksdb", folder, 1 << 20);
    before.log.start();
    before.ended(new TestRequest());
    before.close();
    try (LogsUnderTest after = new LogsUnderTest("rocksdb", folder, 1 << 20)) {
      assertThat(after.lines("acme", FIRST)).hasSize(1);
      assertThat(after.properties("acme", FIRST).content().sealed()).isTrue();
    }
  }

  @Test
  void requestsOfManyThreadsAreAllLogged() throws InterruptedException {
    LogsUnderTest logs = new LogsUnderTest("memory", Path.of("unused"), 64 << 20);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CountDownLatch done = new CountDownLatch(4);
    try (logs) {
      logs.log.start();
      for (int t = 0; t < 4; t++) {
        threads.execute(
            () -> {
              for (int i = 0; i < 500; i++) {
                logs.ended(new TestRequest());
              }
              done.countDown();
            });
      }
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
      logs.log.flush();
      assertThat(logs.lines("acme", FIRST)).hasSize(2_000);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void theLineOfAnEarlyRefusalNamesTheOperation() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      TestRequest request = new TestRequest();
      request.operation = "";
      request.status = 403;
      request.authentication = Authentication.SAS;
      request.errorCode = "AuthenticationFailed";
      request.transfer = new Transfer(0, 0, 1, 1, true);
      logs.ended(request);
      logs.log.flush();
      assertThat(logs.lines("acme", FIRST).get(0)).contains(";ByLine;SASAuthorizationError;403;");
    }
  }

  @Test
  void retentionDeletesWhatIsOlderAndNothingElse() {
    try (LogsUnderTest logs = LogsUnderTest.inMemory()) {
      for (String time :
          List.of("2026-07-29T18:59:59Z", "2026-07-30T17:59:59Z", "2026-07-30T18:00:00Z")) {
        logs.setTime(time);
        logs.ended(new TestRequest());
        TestRequest queue = new TestRequest();
        queue.service = "queue";
        logs.ended(queue);
        logs.log.flush();
      }
      logs.setTime("2026-07-31T18:21:46Z");
      LogSweeper sweeper =
          new LogSweeper(
              logs.blobs,
              () -> List.of("nobody", "acme"),
              (account, service) -> service.equals("table") ? 1 : null,
              new WorkBoard(logs.engine, "test", (line, failure) -> {}),
              logs.clock());
      Bytes next = Bytes.EMPTY;
      while (next != null) {
        next = sweeper.sweep(next);
      }
      assertThat(logs.names("acme"))
          .containsExactly(
              "queue/2026/07/29/1800/000000.log",
              "queue/2026/07/30/1700/000000.log",
              "queue/2026/07/30/1800/000000.log",
              "table/2026/07/30/1800/000000.log");
      sweeper.close();
    }
  }

  @Test
  void onlyTheContainerOfLogsIsOne() {
    assertThat(ContainerName.isOfLogs("$logs")).isTrue();
    assertThat(ContainerName.isOfLogs("$logs/table/x")).isTrue();
    assertThat(ContainerName.isOfLogs("$logsx")).isFalse();
    assertThat(ContainerName.isOfLogs("logs")).isFalse();
  }
}
