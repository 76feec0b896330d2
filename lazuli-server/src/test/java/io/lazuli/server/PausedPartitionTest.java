package io.lazuli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.faults.RemoteEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * On a remote engine, requests that wait for one partition take nothing from the others: no thread
 * waits for them. There are more of them than the server has threads of any kind.
 */
@Timeout(120)
class PausedPartitionTest {
  private static final int EACH = 24;
  private static final String JSON = "Content-Type: application/json";
  private static final String ACCEPT = "Accept: application/json";
  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";

  /** Longer than a record may be, so that it is stored in a chunk. */
  private static final String LARGE = "large content ".repeat(30_000);

  private final ExecutorService clients = Executors.newCachedThreadPool();
  private LazuliServer server;
  private RemoteEngine engine;

  @BeforeEach
  void start() throws IOException {
    server = LazuliServer.start(ServerConfig.builder().engine("distant").freePorts().build());
    engine = RemoteEngineProvider.LAST.get();
    try (WireServer tables = WireServer.onTables(server);
        WireServer blobs = WireServer.onBlobs(server);
        WireServer queues = WireServer.onQueues(server)) {
      ok(tables.owner("POST", "/Tables", "{\"TableName\":\"things\"}", JSON, ACCEPT));
      ok(insert(tables, "paused", "r"));
      ok(insert(tables, "free", "r"));
      ok(blobs.owner("PUT", "/con?restype=container", ""));
      ok(blobs.owner("PUT", "/con/paused", "content", BLOCK_BLOB));
      ok(blobs.owner("PUT", "/con/free", "content", BLOCK_BLOB));
      ok(queues.owner("PUT", "/que", ""));
    }
    engine.pause(Bytes.of("paused".getBytes(UTF_8)));
  }

  @AfterEach
  void close() {
    engine.resume();
    clients.shutdown();
    server.close();
  }

  @Test
  void requestsForOtherPartitionsGoOn() throws IOException {
    List<CompletableFuture<Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      String row = "new" + i;
      waiting.add(onTables(client -> get(client, "paused")));
      waiting.add(onTables(client -> insert(client, "paused", row)));
      waiting.add(onTables(client -> partition(client, "paused")));
      waiting.add(onBlobs(client -> client.owner("GET", "/con/paused", "")));
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(engine.held()).isGreaterThanOrEqualTo(4 * EACH));
    everyKindOfRequestIsAnswered();
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    engine.resume();
    for (CompletableFuture<Answer> answer : waiting) {
      ok(answer.join());
    }
  }

  private void everyKindOfRequestIsAnswered() throws IOException {
    try (WireServer tables = WireServer.onTables(server);
        WireServer blobs = WireServer.onBlobs(server);
        WireServer queues = WireServer.onQueues(server)) {
      String message = "<QueueMessage><MessageText>text</MessageText></QueueMessage>";
      for (int i = 0; i < 20; i++) {
        ok(get(tables, "free"));
        ok(insert(tables, "free", "new" + i));
        assertThat(ok(partition(tables, "free")).body()).contains("new" + i);
        ok(queues.owner("POST", "/que/messages", message));
        assertThat(ok(queues.owner("GET", "/que/messages", "")).body()).contains("text");
        assertThat(ok(blobs.owner("GET", "/con/free", "")).body()).isEqualTo("content");
        ok(blobs.owner("PUT", "/con/free" + i, LARGE, BLOCK_BLOB));
        assertThat(ok(blobs.owner("GET", "/con/free" + i, "")).body()).isEqualTo(LARGE);
        assertThat(ok(blobs.owner("GET", "/con?restype=container&comp=list&prefix=f", "")).body())
            .contains("free" + i);
      }
    }
  }

  private CompletableFuture<Answer> onTables(Function<WireServer, Answer> request) {
    return ask(request, WireServer.onTables(server).waitForever());
  }

  private CompletableFuture<Answer> onBlobs(Function<WireServer, Answer> request) {
    return ask(request, WireServer.onBlobs(server).waitForever());
  }

  private CompletableFuture<Answer> ask(Function<WireServer, Answer> request, WireServer client) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (client) {
            return request.apply(client);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        },
        clients);
  }

  private static Answer get(WireServer tables, String partition) {
    String path = "/things(PartitionKey='" + partition + "',RowKey='r')";
    return tables.owner("GET", path, "", ACCEPT);
  }

  private static Answer partition(WireServer tables, String partition) {
    String path = "/things()?$filter=PartitionKey%20eq%20'" + partition + "'";
    return tables.owner("GET", path, "", ACCEPT);
  }

  private static Answer insert(WireServer tables, String partition, String row) {
    String entity = "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"}";
    return tables.owner("POST", "/things", entity, JSON, ACCEPT);
  }

  private static Answer ok(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isBetween(200, 204);
    return answer;
  }
}
