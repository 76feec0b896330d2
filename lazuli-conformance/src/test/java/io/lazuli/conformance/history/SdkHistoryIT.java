package io.lazuli.conformance.history;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.storage.history.Crowd;
import io.lazuli.storage.history.Crowd.Result;
import io.lazuli.storage.history.blob.BlobClient;
import io.lazuli.storage.history.blob.BlobTarget;
import io.lazuli.storage.history.http.HistoryRun;
import io.lazuli.storage.history.queue.MessageQueue;
import io.lazuli.storage.history.queue.QueueClient;
import io.lazuli.storage.history.table.TableClient;
import io.lazuli.storage.history.table.TablePartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the official Java clients see while many of them use the packed server at the same time
 * contradicts none of its promises.
 */
class SdkHistoryIT {
  private static final String NAME = "history";
  private static final int CLIENTS = 6;
  private static final int SECONDS = 30;
  private static final int CALLS_OF_TARGET = 120;

  @TempDir private static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.start(AccountUnderTest.serverJar(), folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void nothingIsWrong() throws IOException, InterruptedException {
    check(2_000);
  }

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void nothingIsWrongInALongRun() throws IOException, InterruptedException {
    check(300_000);
  }

  private static void check(long calls) throws IOException, InterruptedException {
    long seed = Long.getLong("history.seed", System.nanoTime());
    Crowd<TableClient> tables = tables(seed, calls / 2);
    Crowd<QueueClient> queues = queues(seed, calls / 4);
    Crowd<BlobClient> blobs = blobs(seed, calls / 4);
    Result result = tables.end().plus(queues.end()).plus(blobs.end());
    System.out.println("history of the Java clients: " + result + ", seed " + seed);
    HistoryRun.assertNothingWrong(result);
  }

  private static String connection(StorageService service) {
    return server.account(service).connectionString();
  }

  private static Crowd<TableClient> tables(long seed, long calls) throws IOException {
    SdkTables client = new SdkTables(connection(StorageService.TABLE));
    client.create(NAME);
    return new Crowd<TableClient>(
            seed,
            CLIENTS,
            number -> new SdkTables(connection(StorageService.TABLE)),
            number -> new TablePartition(NAME, number, CALLS_OF_TARGET),
            calls)
        .start();
  }

  private static Crowd<QueueClient> queues(long seed, long calls) throws IOException {
    return new Crowd<QueueClient>(
            seed + 1,
            CLIENTS,
            number -> new SdkQueues(connection(StorageService.QUEUE)),
            number -> new MessageQueue(NAME + "-", number, CALLS_OF_TARGET, SECONDS),
            calls)
        .start();
  }

  private static Crowd<BlobClient> blobs(long seed, long calls) throws IOException {
    SdkBlobs client = new SdkBlobs(connection(StorageService.BLOB));
    client.create(NAME);
    return new Crowd<BlobClient>(
            seed + 2,
            CLIENTS,
            number -> new SdkBlobs(connection(StorageService.BLOB)),
            number -> new BlobTarget(NAME, number, CALLS_OF_TARGET),
            calls)
        .start();
  }
}
