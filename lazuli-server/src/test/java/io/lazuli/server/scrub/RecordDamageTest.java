package io.lazuli.server.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.check.Finding;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that contradict each other: a check names them, and a repair leaves a clean store. */
class RecordDamageTest {
  private static final String ACCOUNT = "devstoreaccount1";
  private static final String VERSION = "x-ms-version: 2025-01-05";

  @TempDir private Path folder;

  @BeforeEach
  void fill() throws IOException {
    try (LazuliServer server = start();
        WireServer tables = WireServer.onTables(server);
        WireServer queues = WireServer.onQueues(server);
        WireServer blobs = WireServer.onBlobs(server)) {
      done(
          tables,
          "POST",
          "/Tables",
          "{\"TableName\":\"People\"}",
          "Content-Type: application/json");
      for (String row : List.of("1", "2", "3")) {
        String entity = "{\"PartitionKey\":\"p\",\"RowKey\":\"" + row + "\",\"Age\":5}";
        done(tables, "POST", "/People", entity, "Content-Type: application/json");
      }
      done(queues, "PUT", "/tasks", "");
      for (String text : List.of("first", "second", "third")) {
        String body = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
        done(queues, "POST", "/tasks/messages", body);
      }
      done(blobs, "PUT", "/docs?restype=container", "");
      String block = "x-ms-blob-type: BlockBlob";
      done(blobs, "PUT", "/docs/small", "a small blob", block, "x-ms-tags: colour=blue");
      done(blobs, "PUT", "/docs/small?comp=snapshot", "");
      done(blobs, "PUT", "/docs/coloured", "1", block, "x-ms-tags: colour=red");
      done(blobs, "PUT", "/docs/coloured", "2", block);
      done(blobs, "PUT", "/docs/large", "0123456789".repeat(20_000), block);
      done(
          blobs,
          "PUT",
          "/docs/pages",
          "",
          "x-ms-blob-type: PageBlob",
          "x-ms-blob-content-length: 1048576");
      done(
          blobs,
          "PUT",
          "/docs/pages?comp=page",
          "x".repeat(1_024),
          "x-ms-range: bytes=512-1535",
          "x-ms-page-write: update");
      done(blobs, "PUT", "/docs/untouched", "stays", block);
      done(blobs, "PUT", "/docs/untouched?comp=legalhold", "", "x-ms-legal-hold: true");
    }
  }

  @Test
  void aHealthyStoreIsClean() {
    assertThat(verify()).isEmpty();
    assertThat(repair()).isEmpty();
    assertThat(folder.resolve("damaged-records-1.jsonl")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "queue, v, the row for its visibility is missing, false",
    "queue, x, the row for its expiry is missing, false",
    "queue, m, which does not have it, true",
    "queue, n, 'messages, and the sum of the counts', false",
    "blob, d, content at offset 0 is missing, true",
    "blob, l, content has 0 bytes instead of, true",
    "blob, s, it counts 1 snapshots and has 0, false",
    "blob, b, a page is missing, true",
    "blob, \u00ffT, its tag colour is not in the index, false",
    "blob, \u00ffV, version: its tag colour is not in the index, false",
    "blob, \u00ffhuntouched, its protection is not in the index, false"
  })
  void aMissingRowIsNamedAndRepaired(String service, String kind, String problem, boolean losesData)
      throws IOException {
    remove(service, kind);
    List<String> found = verify();
    assertThat(found).anyMatch(line -> line.contains(problem));
    assertThat(found)
        .allMatch(
            line ->
                line.startsWith("account devstoreaccount1, queue tasks, ")
                    || line.startsWith("account devstoreaccount1, container docs, "));
    assertThat(repair()).isNotEmpty();
    assertThat(verify()).isEmpty();
    assertThat(Files.exists(folder.resolve("damaged-records-1.jsonl")) || !losesData).isTrue();
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/docs/untouched", "", VERSION).body()).isEqualTo("stays");
      assertThat(blobs.owner("DELETE", "/docs?restype=container", "", VERSION).status())
          .isEqualTo(409);
    }
  }

  @Test
  void anEntityThatCannotBeReadIsMovedToAFile() throws IOException {
    change("table", "", new byte[] {1, 2, 3});
    assertThat(verify())
        .singleElement()
        .asString()
        .startsWith("account devstoreaccount1, table People, PartitionKey 'p', RowKey '1': ")
        .contains("not an entity");
    assertThat(repair()).hasSize(1);
    assertThat(verify()).isEmpty();
    assertThat(Files.readString(folder.resolve("damaged-records-1.jsonl")))
        .hasLineCount(1)
        .contains(
            "\"name\":\"People\"", "\"partition\":\"70\",\"row\":\"31\"", "\"value\":\"010203\"");
  }

  @Test
  void aSpaceWithoutANameIsMovedToAFile() throws IOException {
    Partition home = ServiceHome.ofTables(ACCOUNT).partition();
    Bytes row = Bytes.of("npeople".getBytes(StandardCharsets.UTF_8));
    try (StorageEngine engine = Engines.open(config())) {
      write(engine, home, row, null);
    }
    assertThat(verify()).singleElement().asString().contains("no name leads to its records");
    assertThat(repair()).hasSize(1);
    assertThat(verify()).isEmpty();
    assertThat(Files.readString(folder.resolve("damaged-records-1.jsonl"))).hasLineCount(3);
  }

  @Test
  void aBlobWhoseChunkIsDamagedIsNamed() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("chunks"))) {
      Path chunk = files.filter(Files::isRegularFile).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(chunk);
      bytes[100] ^= 1;
      Files.write(chunk, bytes);
    }
    assertThat(verify())
        .singleElement()
        .asString()
        .startsWith("account devstoreaccount1, container docs, blob 'large': ")
        .contains("does not match its checksum");
    assertThat(repair()).isNotEmpty();
    assertThat(verify()).isEmpty();
  }

  private List<String> verify() {
    List<String> found = new ArrayList<>();
    try (StorageEngine engine = Engines.openToRead(config())) {
      StoreWalk walk = new StoreWalk(engine, (Finding each) -> found.add(each.line()));
      while (!walk.isDone()) {
        long unused = walk.step();
      }
    }
    return found;
  }

  private List<String> repair() {
    List<String> repaired = new ArrayList<>();
    List<String> left = new ArrayList<>();
    try (StorageEngine engine = Engines.open(config())) {
      List<String> unused =
          new RecordRepair(
                  engine, folder, each -> repaired.add(each.line()), each -> left.add(each.line()))
              .run();
    }
    assertThat(left).isEmpty();
    return repaired;
  }

  /** Removes the first row whose key, or the partition of which, begins with a letter. */
  private void remove(String service, String kind) {
    change(service, kind, null);
  }

  private void change(String service, String kind, byte @Nullable [] value) {
    try (StorageEngine engine = Engines.open(config())) {
      Space space = space(engine, service);
      Position at = first(engine, space, kind);
      write(engine, new Partition(space, at.partition()), at.row(), value);
    }
  }

  private static void write(
      StorageEngine engine, Partition partition, Bytes row, byte @Nullable [] value) {
    boolean unused =
        Futures.await(
            engine.transact(
                partition,
                List.of(),
                Deadline.NEVER,
                view -> {
                  if (value == null) {
                    view.delete(row);
                  } else {
                    view.put(row, value);
                  }
                  return true;
                }));
  }

  private static Space space(StorageEngine engine, String service) {
    Catalog catalog = new Catalog(engine);
    CatalogEntry entry =
        switch (service) {
          case "table" ->
              Futures.await(catalog.find(ServiceHome.ofTables(ACCOUNT), "people", Deadline.NEVER));
          case "queue" ->
              Futures.await(catalog.find(ServiceHome.ofQueues(ACCOUNT), "tasks", Deadline.NEVER));
          default ->
              Futures.await(
                  catalog.find(ServiceHome.ofContainers(ACCOUNT), "docs", Deadline.NEVER));
        };
    return Objects.requireNonNull(entry).space();
  }

  private static Position first(StorageEngine engine, Space space, String kind) {
    byte[] wanted = kind.getBytes(StandardCharsets.ISO_8859_1);
    Position[] found = new Position[1];
    Futures.await(
        engine.scan(
            space,
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              byte[] key = wanted.length > 1 ? record.partition().copy() : record.row().copy();
              byte[] head = Arrays.copyOf(key, wanted.length);
              if (!Arrays.equals(head, wanted)) {
                return Visit.CONTINUE;
              }
              found[0] =
                  new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
              return Visit.STOP;
            }));
    return Objects.requireNonNull(found[0], kind);
  }

  private StoreConfig config() {
    return ServerConfig.builder().dataFolder(folder).memoryBytes(32 << 20).build().store();
  }

  private LazuliServer start() {
    return LazuliServer.start(
        ServerConfig.builder()
            .dataFolder(folder)
            .freePorts()
            .blobVersioning(true)
            .blobImmutability(true)
            .build());
  }

  private static void done(
      WireServer server, String method, String path, String body, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] =
        path.contains("People") || path.contains("Tables") ? "x-ms-version: 2019-02-02" : VERSION;
    assertThat(server.owner(method, path, body, all).status()).isBetween(200, 204);
  }
}
