package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.admin.CommandJson;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.scrub.StoreWalk;
import io.lazuli.storage.StorageEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A walk finds nothing while requests change everything that it reads. */
@Timeout(120)
class ScrubLoadTest {
  private static final int ROUNDS = Integer.getInteger("scrub.rounds", 20);
  private static final String VERSION = "x-ms-version: 2025-01-05";
  private static final String BLOCK = "x-ms-blob-type: BlockBlob";
  private static final Pattern MESSAGE =
      Pattern.compile("<MessageId>([^<]*)</MessageId>.*<PopReceipt>([^<]*)</PopReceipt>");

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Queue<Integer> refused = new ConcurrentLinkedQueue<>();

  /** One client's work. */
  @FunctionalInterface
  private interface Work {
    void run(WireServer server, int round);
  }

  @Test
  void requestsAreNotDamage() throws IOException, InterruptedException, ExecutionException {
    ServerConfig config =
        ServerConfig.builder()
            .dataFolder(folder)
            .blobVersioning(true)
            .scrubBytesPerSecond(1L << 30)
            .freePorts()
            .build();
    List<String> found = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(3);
    try (LazuliServer server = LazuliServer.start(config)) {
      try (WireServer queues = WireServer.onQueues(server);
          WireServer blobs = WireServer.onBlobs(server)) {
        ask(queues, "PUT", "/tasks", "");
        ask(blobs, "PUT", "/docs?restype=container", "");
      }
      List<Future<?>> running =
          List.of(
              clients.submit(() -> repeat(WireServer.onTables(server), ScrubLoadTest.this::tables)),
              clients.submit(() -> repeat(WireServer.onQueues(server), ScrubLoadTest.this::queues)),
              clients.submit(() -> repeat(WireServer.onBlobs(server), ScrubLoadTest.this::blobs)));
      for (int i = 0; i < ROUNDS && found.isEmpty(); i++) {
        found.addAll(round(server));
      }
      ended.set(true);
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      ended.set(true);
      clients.shutdown();
    }
    assertThat(found).isEmpty();
    assertThat(refused).isEmpty();
    try (StorageEngine engine = Engines.openToRead(config.store())) {
      walk(engine, found);
    }
    assertThat(found).isEmpty();
  }

  /** Runs a round of the scrub. Returns the damage that it found. */
  private List<String> round(LazuliServer server) throws IOException, InterruptedException {
    String before = command(server, "status").getOrDefault("completed", "");
    Map<String, String> status = command(server, "now");
    while (status.getOrDefault("completed", "").equals(before)) {
      status = command(server, "status");
    }
    return status.entrySet().stream()
        .filter(line -> line.getKey().startsWith("damage "))
        .map(Map.Entry::getValue)
        .toList();
  }

  private Map<String, String> command(LazuliServer server, String action)
      throws IOException, InterruptedException {
    String token = Objects.requireNonNull(AdminToken.read(folder)).authorization();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.adminEndpoint() + "/commands/scrub"))
            .header("Authorization", token)
            .POST(
                HttpRequest.BodyPublishers.ofByteArray(CommandJson.write(Map.of("action", action))))
            .build();
    return CommandJson.parse(http.send(request, BodyHandlers.ofByteArray()).body());
  }

  private static void walk(StorageEngine engine, List<String> found) {
    StoreWalk walk = new StoreWalk(engine, each -> found.add(each.line()));
    while (!walk.isDone()) {
      long unused = walk.step();
    }
  }

  private void repeat(WireServer server, Work work) {
    try (server) {
      for (int round = 0; !ended.get(); round++) {
        work.run(server, round);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tables(WireServer server, int round) {
    String name = "T" + round;
    ask(server, "POST", "/Tables", "{\"TableName\":\"" + name + "\"}");
    ask(server, "POST", "/" + name, "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    ask(server, "DELETE", "/Tables('" + name + "')", "");
  }

  private void queues(WireServer server, int round) {
    String text = "<QueueMessage><MessageText>" + round + "</MessageText></QueueMessage>";
    ask(server, "POST", "/tasks/messages", text);
    ask(server, "POST", "/tasks/messages", text);
    String taken = ask(server, "GET", "/tasks/messages?visibilitytimeout=1", "");
    Matcher message = MESSAGE.matcher(taken);
    if (message.find() && round % 3 != 0) {
      String receipt = message.group(2).replace("+", "%2B").replace("=", "%3D");
      ask(server, "DELETE", "/tasks/messages/" + message.group(1) + "?popreceipt=" + receipt, "");
    }
    if (round % 50 == 49) {
      ask(server, "DELETE", "/tasks/messages", "");
    }
  }

  private void blobs(WireServer server, int round) {
    String name = "/docs/b" + round % 4;
    ask(server, "PUT", name, "small " + round, BLOCK, "x-ms-tags: round=" + round % 7);
    ask(server, "PUT", name + "?comp=snapshot", "");
    ask(server, "PUT", name, "0123456789".repeat(10_000), BLOCK);
    ask(server, "PUT", name + "?comp=block&blockid=QUFB", "block " + round);
    ask(server, "DELETE", name, "", "x-ms-delete-snapshots: include");
  }

  private String ask(
      WireServer server, String method, String path, String body, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = VERSION;
    boolean table = path.startsWith("/T");
    String[] sent =
        table ? new String[] {"x-ms-version: 2019-02-02", "Content-Type: application/json"} : all;
    Answer answer = server.owner(method, path, body, sent);
    if (answer.status() >= 500) {
      refused.add(answer.status());
    }
    return answer.body();
  }
}
