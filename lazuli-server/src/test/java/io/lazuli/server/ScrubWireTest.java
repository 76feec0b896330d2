package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.admin.CommandJson;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scrub of a running server, through the admin port. */
@Timeout(120)
class ScrubWireTest {
  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private LazuliServer server;

  @BeforeEach
  void damageAnEntity() {
    try (StorageEngine engine = Engines.open(config().store())) {
      Catalog catalog = new Catalog(engine);
      ServiceHome home = ServiceHome.ofTables("devstoreaccount1");
      boolean unused = Futures.await(catalog.create(home, "people", "People", Deadline.NEVER));
      CatalogEntry table =
          Objects.requireNonNull(Futures.await(catalog.find(home, "people", Deadline.NEVER)));
      boolean written =
          Futures.await(
              engine.transact(
                  new Partition(table.space(), bytes("p")),
                  List.of(),
                  Deadline.NEVER,
                  view -> {
                    view.put(bytes("r"), new byte[] {9});
                    return true;
                  }));
      assertThat(written).isTrue();
    }
  }

  @Test
  void damageDegradesTheHealthAndIsNamed() throws IOException, InterruptedException {
    try (LazuliServer started = LazuliServer.start(config())) {
      server = started;
      assertThat(get("/health")).doesNotContain("degraded");
      assertThat(command("status")).containsEntry("completed", "never");
      Map<String, String> status = command("now");
      while (status.get("completed").equals("never")) {
        status = command("status");
      }
      String named =
          "account devstoreaccount1, table People, PartitionKey 'p', RowKey 'r': the record is not";
      assertThat(status.get("damage 1")).startsWith(named);
      assertThat(get("/health")).contains("\"status\":\"degraded\"", named);
      assertThat(get("/readyz")).contains("ok");
      assertThat(get("/metrics")).contains("lazuli_scrub_damaged 1.0", "lazuli_scrub_running 0.0");
      assertThat(command("pause")).containsEntry("state", "paused");
      assertThat(get("/metrics")).contains("lazuli_scrub_paused 1.0");
      assertThat(command("resume")).containsEntry("state", "waiting");
      assertThat(command("fly")).containsEntry("error", "the scrub has no action fly");
    }
  }

  @Test
  void aServerInMemoryHasNoScrub() throws IOException, InterruptedException {
    ServerConfig inMemory = ServerConfig.builder().engine("memory").freePorts().build();
    try (LazuliServer started = LazuliServer.start(inMemory)) {
      server = started;
      assertThat(get("/metrics")).doesNotContain("lazuli_scrub");
    }
  }

  private Map<String, String> command(String action) throws IOException, InterruptedException {
    String token = Objects.requireNonNull(AdminToken.read(folder)).authorization();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.adminEndpoint() + "/commands/scrub"))
            .header("Authorization", token)
            .POST(
                HttpRequest.BodyPublishers.ofByteArray(CommandJson.write(Map.of("action", action))))
            .build();
    return CommandJson.parse(client.send(request, BodyHandlers.ofByteArray()).body());
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.adminEndpoint() + path)).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private ServerConfig config() {
    return ServerConfig.builder().dataFolder(folder).freePorts().build();
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
