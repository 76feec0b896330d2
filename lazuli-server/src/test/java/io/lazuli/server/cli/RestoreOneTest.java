package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.blob.encoding.ContainerPropertiesCodec;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Brings a deleted table, queue and container back into the running server. */
class RestoreOneTest {
  private static final String JSON = "Content-Type: application/json";
  private static final String ACCOUNT = "devstoreaccount1/";

  @TempDir private Path folder;
  private LazuliServer server;
  private final StringWriter text = new StringWriter();

  @BeforeEach
  void start() {
    server =
        LazuliServer.start(
            ServerConfig.builder().freePorts().dataFolder(folder.resolve("data")).build());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aTableComesBackWithItsTimestamps() throws IOException {
    try (WireServer tables = WireServer.onTables(server)) {
      done(tables.owner("POST", "/Tables", "{\"TableName\":\"Orders\"}", JSON), 201);
      for (int i = 0; i < 300; i++) {
        String entity = "/Orders(PartitionKey='p%d',RowKey='r')".formatted(i);
        done(tables.owner("PUT", entity, "{\"Text\":\"" + "x".repeat(5_000) + "\"}", JSON), 204);
      }
      String before = tables.owner("GET", "/Orders()", "").body();
      assertThat(run("backup", target())).as(text.toString()).isZero();
      done(tables.owner("DELETE", "/Tables('Orders')", ""), 204);
      assertThat(run("restore", target(), "--table", ACCOUNT + "orders", "--as", "Yesterday"))
          .as(text.toString())
          .isZero();
      String after = tables.owner("GET", "/Yesterday()", "").body();
      assertThat(after.replace("Yesterday", "Orders")).isEqualTo(before);
      assertThat(run("restore", target(), "--table", ACCOUNT + "orders", "--as", "yesterday"))
          .isEqualTo(1);
      assertThat(text.toString()).contains("exists");
    }
  }

  @Test
  void aQueueComesBackWithItsMessages() throws IOException {
    try (WireServer queues = WireServer.onQueues(server)) {
      done(queues.owner("PUT", "/jobs", "", "x-ms-meta-owner: me"), 201);
      for (int i = 0; i < 10; i++) {
        String body = "<QueueMessage><MessageText>" + i + "</MessageText></QueueMessage>";
        done(queues.owner("POST", "/jobs/messages", body), 201);
      }
      String peek = "/messages?peekonly=true&numofmessages=32";
      String before = queues.owner("GET", "/jobs" + peek, "").body();
      assertThat(run("backup", target())).isZero();
      done(queues.owner("DELETE", "/jobs", ""), 204);
      assertThat(run("restore", target(), "--queue", ACCOUNT + "jobs", "--as", "jobs2"))
          .as(text.toString())
          .isZero();
      assertThat(queues.owner("GET", "/jobs2" + peek, "").body()).isEqualTo(before);
      Answer metadata = queues.owner("GET", "/jobs2?comp=metadata", "");
      assertThat(metadata.header("x-ms-meta-owner")).isEqualTo("me");
      assertThat(metadata.header("x-ms-approximate-messages-count")).isEqualTo("10");
      done(queues.owner("GET", "/jobs2/messages", ""), 200);
    }
  }

  @Test
  void aContainerComesBackWithItsBlobs() throws IOException {
    String large = "abcdefgh".repeat(20_000);
    String pages = "0123456789abcdef".repeat(16_384);
    try (WireServer blobs = WireServer.onBlobs(server)) {
      done(blobs.owner("PUT", "/files?restype=container", "", "x-ms-meta-owner: me"), 201);
      put(blobs, "/files/small", "text");
      put(blobs, "/files/large", large + "1");
      Answer snapshot = blobs.owner("PUT", "/files/large?comp=snapshot", "");
      done(snapshot, 201);
      put(blobs, "/files/large", large + "2");
      done(
          blobs.owner(
              "PUT",
              "/files/pages",
              "",
              "x-ms-blob-type: PageBlob",
              "x-ms-blob-content-length: 1048576"),
          201);
      done(
          blobs.owner(
              "PUT",
              "/files/pages?comp=page",
              pages,
              "x-ms-page-write: update",
              "x-ms-range: bytes=4096-" + (4096 + pages.length() - 1)),
          201);
      String etag = blobs.owner("HEAD", "/files/large", "").header("ETag");
      String wholePages = blobs.owner("GET", "/files/pages", "").body();
      assertThat(wholePages).contains(pages);
      assertThat(run("backup", target())).isZero();
      done(blobs.owner("DELETE", "/files?restype=container", ""), 202);
      assertThat(run("restore", target(), "--container", ACCOUNT + "files", "--as", "files2"))
          .as(text.toString())
          .isZero();
      assertThat(blobs.owner("GET", "/files2/small", "").body()).isEqualTo("text");
      assertThat(blobs.owner("GET", "/files2/large", "").body()).isEqualTo(large + "2");
      assertThat(blobs.owner("HEAD", "/files2/large", "").header("ETag")).isEqualTo(etag);
      String old = "/files2/large?snapshot=" + snapshot.header("x-ms-snapshot");
      assertThat(blobs.owner("GET", old, "").body()).isEqualTo(large + "1");
      assertThat(blobs.owner("GET", "/files2/pages", "").body().equals(wholePages)).isTrue();
      put(blobs, "/files2/large", "new");
      assertThat(blobs.owner("GET", old, "").body()).isEqualTo(large + "1");
      assertThat(folder.resolve("data/restored")).doesNotExist();
    }
  }

  @Test
  void protectedBlobsComeBackProtected() throws IOException {
    String policy = "x-ms-immutability-policy-until-date: Fri, 01 Jan 2100 00:00:00 GMT";
    server.close();
    ServerConfig config =
        ServerConfig.builder()
            .freePorts()
            .dataFolder(folder.resolve("data"))
            .blobVersioning(true)
            .blobImmutability(true)
            .build();
    server = LazuliServer.start(config);
    try (WireServer blobs = WireServer.onBlobs(server)) {
      done(blobs.owner("PUT", "/vault?restype=container", ""), 201);
      String version =
          blobs
              .owner("PUT", "/vault/a", "1", "x-ms-blob-type: BlockBlob", policy)
              .header("x-ms-version-id");
      put(blobs, "/vault/a", "2");
      done(blobs.owner("PUT", "/vault/a?comp=legalhold", "", "x-ms-legal-hold: true"), 200);
      String snapshot = blobs.owner("PUT", "/vault/a?comp=snapshot", "").header("x-ms-snapshot");
      String taken = "?snapshot=" + snapshot;
      done(blobs.owner("PUT", "/vault/a" + taken + "&comp=immutabilityPolicies", "", policy), 200);
      // A deletion has searched the container; one of the copy must search that again.
      refused(blobs.owner("DELETE", "/vault?restype=container", ""), "BlobImmutableDueToPolicy");
      assertThat(run("backup", target())).isZero();
      for (String name : List.of("vault2", "vault3")) {
        assertThat(run("restore", target(), "--container", ACCOUNT + "vault", "--as", name))
            .as(text.toString())
            .isZero();
      }
      String old = "/vault2/a?versionid=" + version;
      assertThat(blobs.owner("HEAD", old, "").header("x-ms-immutability-policy-until-date"))
          .isEqualTo("Fri, 01 Jan 2100 00:00:00 GMT");
      assertThat(blobs.owner("HEAD", "/vault2/a", "").header("x-ms-legal-hold")).isEqualTo("true");
      refused(blobs.owner("DELETE", old, ""), "BlobImmutableDueToPolicy");
      refused(blobs.owner("DELETE", "/vault2/a" + taken, ""), "BlobImmutableDueToPolicy");
      refused(
          blobs.owner("PUT", "/vault2/a?comp=metadata", "", "x-ms-meta-a: b"),
          "BlobImmutableDueToLegalHold");
      refused(blobs.owner("DELETE", "/vault2?restype=container", ""), "BlobImmutableDueToPolicy");
    }
    server.close();
    try (StorageEngine engine = Engines.open(config.store())) {
      CatalogRow row =
          new Catalog(engine)
              .read(ServiceHome.ofContainers("devstoreaccount1"), "vault3", Deadline.NEVER)
              .join();
      assertThat(row).isNotNull();
      assertThat(ContainerPropertiesCodec.decode(row.metadata()).guard()).isOdd();
    }
  }

  private static void refused(Answer answer, String code) {
    done(answer, 409);
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
  }

  @Test
  void whatIsNotInTheBackupIsRefused() {
    assertThat(run("backup", target())).isZero();
    assertThat(run("restore", target(), "--table", ACCOUNT + "absent", "--as", "other"))
        .isEqualTo(1);
    assertThat(text.toString()).contains("has no table absent");
    assertThat(run("restore", target(), "--queue", ACCOUNT + "absent", "--as", "Not_A_Queue"))
        .isEqualTo(1);
    assertThat(text.toString()).contains("is not a valid name of a queue");
    assertThat(run("restore", target(), "--queue", ACCOUNT + "absent")).isEqualTo(2);
    assertThat(run("restore", target(), "--queue", "absent", "--as", "other")).isEqualTo(2);
  }

  private String target() {
    return folder.resolve("target").toString();
  }

  private static void put(WireServer blobs, String path, String content) {
    done(blobs.owner("PUT", path, content, "x-ms-blob-type: BlockBlob"), 201);
  }

  private static void done(Answer answer, int status) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
  }

  private int run(String... words) {
    text.getBuffer().setLength(0);
    String[] all = Arrays.copyOf(words, words.length + 2);
    all[words.length] = "--data";
    all[words.length + 1] = folder.resolve("data").toString();
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), Map.of()), Map.of());
    commandLine.setOut(new PrintWriter(text, true)).setErr(new PrintWriter(text, true));
    return commandLine.execute(all);
  }
}
