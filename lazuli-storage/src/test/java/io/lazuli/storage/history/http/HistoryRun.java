package io.lazuli.storage.history.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.history.Crowd;
import io.lazuli.storage.history.Crowd.Result;
import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.blob.BlobClient;
import io.lazuli.storage.history.blob.BlobTarget;
import io.lazuli.storage.history.queue.MessageQueue;
import io.lazuli.storage.history.queue.QueueClient;
import io.lazuli.storage.history.table.TableClient;
import io.lazuli.storage.history.table.TablePartition;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Clients of all services, over HTTP, and the check of what they recorded.
 *
 * @param ports the current ports of a server, asked for each connection
 * @param token a signature for the account
 * @param name the beginning of the names of tables, queues and containers
 */
public record HistoryRun(Supplier<Ports> ports, String token, String name, long seed) {
  private static final int TABLE_CLIENTS = 12;
  private static final int QUEUE_CLIENTS = 6;
  private static final int BLOB_CLIENTS = 6;
  private static final int TABLE_CALLS = 500;
  private static final int QUEUE_CALLS = 2_000;
  private static final int BLOB_CALLS = 300;

  /** Returns the seed that was given, or a new one. */
  public static long seedOf(String property) {
    return Long.getLong(property, System.nanoTime());
  }

  public Crowd<TableClient> tables(int clients, int callsOfTarget, long operations)
      throws IOException {
    try (HttpTables client = new HttpTables(() -> ports.get().tables(), token)) {
      client.create(name);
    }
    return new Crowd<TableClient>(
            seed,
            clients,
            number -> new HttpTables(() -> ports.get().tables(), token),
            number -> new TablePartition(name, number, callsOfTarget),
            operations)
        .start();
  }

  public Crowd<QueueClient> queues(int clients, int callsOfTarget, int secondsLong, long operations)
      throws IOException {
    return new Crowd<QueueClient>(
            seed + 1,
            clients,
            number -> new HttpQueues(() -> ports.get().queues(), token),
            number -> new MessageQueue(name + "-", number, callsOfTarget, secondsLong),
            operations)
        .start();
  }

  public Crowd<BlobClient> blobs(int clients, int callsOfTarget, long operations)
      throws IOException {
    try (HttpBlobs client = new HttpBlobs(() -> ports.get().blobs(), token)) {
      client.create(name);
    }
    return new Crowd<BlobClient>(
            seed + 2,
            clients,
            number -> new HttpBlobs(() -> ports.get().blobs(), token),
            number -> new BlobTarget(name, number, callsOfTarget),
            operations)
        .start();
  }

  /**
   * Starts clients of all services: three fifths of the operations are on tables.
   *
   * @param secondsLong how long messages are invisible at most
   */
  public Crowds start(long operations, int secondsLong) throws IOException {
    return new Crowds(
        tables(TABLE_CLIENTS, TABLE_CALLS, operations * 3 / 5),
        queues(QUEUE_CLIENTS, QUEUE_CALLS, secondsLong, operations / 5),
        blobs(BLOB_CLIENTS, BLOB_CALLS, operations / 5));
  }

  /** The clients of all services. */
  public record Crowds(
      Crowd<TableClient> tables, Crowd<QueueClient> queues, Crowd<BlobClient> blobs) {
    /** Returns the number of operations that were checked. */
    public long operations() {
      return tables.operations() + queues.operations() + blobs.operations();
    }

    /** Returns true if clients have stopped early. */
    public boolean isBroken() {
      return tables.isBroken() || queues.isBroken() || blobs.isBroken();
    }

    /** Ends the run before all its operations, and waits for all clients. */
    public Result stop() throws InterruptedException {
      tables.stop();
      queues.stop();
      blobs.stop();
      return end();
    }

    /** Waits for all clients. */
    public Result end() throws InterruptedException {
      return tables.end().plus(queues.end()).plus(blobs.end());
    }
  }

  /** Fails if there are violations, and shows them. */
  public static void assertNothingWrong(Result result) {
    assertThat(result.violations())
        .as(
            () ->
                result.violations().stream()
                    .map(Violation::toString)
                    .collect(Collectors.joining("\n")))
        .isEmpty();
    assertThat(result.undecided()).isZero();
  }
}
