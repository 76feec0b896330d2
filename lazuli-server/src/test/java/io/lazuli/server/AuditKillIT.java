package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.account.Account;
import io.lazuli.server.auth.SasMaker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the packed server: only the last lines of the audit may be missing, and none is torn. */
class AuditKillIT {
  private static final Pattern QUEUE = Pattern.compile("\"path\":\"/devstoreaccount1/q-(\\d+)\"");

  @TempDir private Path folder;
  private final AtomicInteger acknowledged = new AtomicInteger();

  private Path file() {
    return folder.resolve("audit.jsonl");
  }

  private List<String> lines() throws IOException {
    return Files.exists(file()) ? Files.readAllLines(file()) : List.of();
  }

  @Test
  void aKilledServerLosesOnlyTheLastLines() throws Exception {
    int seen;
    try (PackedServer server = start()) {
      Thread client = new Thread(() -> createQueues(server.queuePort()));
      client.start();
      seen = Awaitility.await().until(() -> lines().size(), count -> count > 100);
      server.process().destroyForcibly();
      client.join();
    }
    List<String> lines = lines();
    List<Integer> numbers =
        lines.stream()
            .map(QUEUE::matcher)
            .filter(Matcher::find)
            .map(found -> Integer.parseInt(found.group(1)))
            .toList();
    assertThat(lines).allMatch(line -> line.startsWith("{\"time\":") && line.endsWith("}"));
    assertThat(lines.get(0)).contains("ServerStarted");
    assertThat(lines.size()).isGreaterThanOrEqualTo(seen);
    // The last change may have been done without an answer.
    assertThat(numbers)
        .isEqualTo(IntStream.range(0, numbers.size()).boxed().toList())
        .hasSizeLessThanOrEqualTo(acknowledged.get() + 1);
    try (PackedServer again = start()) {
      assertThat(again.process().isAlive()).isTrue();
      Awaitility.await().until(() -> lines().size() > lines.size());
      assertThat(lines().get(lines.size())).contains("ServerStarted");
    }
  }

  private PackedServer start() throws IOException {
    return PackedServer.start(PackedServer.JAR, folder, "--audit", file().toString());
  }

  /** Creates queues one after the other until the server no longer answers. */
  private void createQueues(int port) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("ss", "q");
    fields.put("srt", "sco");
    fields.put("sp", "rwc");
    fields.put("se", "2099-01-01T00:00:00Z");
    String sas = SasMaker.ofAccount(Account.development(), fields);
    HttpClient client = HttpClient.newHttpClient();
    try {
      while (true) {
        String queue = "/devstoreaccount1/q-" + acknowledged.get();
        URI target = URI.create("http://127.0.0.1:" + port + queue + "?" + sas);
        int status =
            client
                .send(
                    HttpRequest.newBuilder(target).PUT(BodyPublishers.noBody()).build(),
                    BodyHandlers.discarding())
                .statusCode();
        assertThat(status).isEqualTo(201);
        acknowledged.incrementAndGet();
      }
    } catch (IOException e) {
      // The server was killed.
      assertThat(acknowledged.get()).isPositive();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
