package io.lazuli.server.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.ServerAccounts;
import io.lazuli.server.WireServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.queue.model.PopReceipt;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports the files in {@code src/test/resources/azurite}, which a real Azurite saved. */
class AzuriteImportTest {
  private static final String[] KNOWN_LOSSES = {
    "left out: table devstoreaccount1/Staff, entity ('bad', 'guid'): InvalidInput: An error"
        + " occurred while processing this request.",
    "left out: blob devstoreaccount1/box/pages: blobs of type PageBlob are not supported"
  };

  @TempDir Path folder;
  private final List<String> progress = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  @BeforeEach
  void copyAzurite() throws IOException {
    Path source = Path.of("src", "test", "resources", "azurite");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path copy = azurite().resolve(source.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  @Test
  void everythingIsCountedAndRefusalsAreReported() {
    ImportReport report = run(false);
    assertThat(problems).containsExactly(KNOWN_LOSSES);
    assertThat(report.leftOut()).isEqualTo(2);
    assertThat(report.summary())
        .isEqualTo(
            "2 tables, 15 entities, 2 queues, 5 messages, 2 containers, 7 blobs, 2 snapshots,"
                + " 2 uncommitted blocks");
    assertThat(progress)
        .contains(
            "table devstoreaccount1/Staff: 15 entities",
            "queue devstoreaccount1/jobs: 5 messages, 1 had expired",
            "container devstoreaccount1/box: 7 blobs");
  }

  @Test
  void entitiesKeepTheirKeysAndTypes() throws IOException {
    run(false);
    try (LazuliServer server = start();
        WireServer tables = WireServer.onTables(server)) {
      String full = "Accept: application/json;odata=fullmetadata";
      String all =
          tables.owner("GET", "/Staff(PartitionKey='types',RowKey='all')", "", full).body();
      assertThat(all)
          .contains(
              "\"Text\":\"Zoë ☕ \ud83d\ude00\"",
              "\"Empty\":\"\"",
              "\"Int\":-7",
              "\"Long@odata.type\":\"Edm.Int64\",\"Long\":\"9007199254740993\"",
              "\"Whole\":3.0",
              "\"Half\":0.5",
              "\"NotANumber@odata.type\":\"Edm.Double\",\"NotANumber\":\"NaN\"",
              "\"Yes\":true",
              "\"When@odata.type\":\"Edm.DateTime\",\"When\":\"2024-02-29T12:34:56.789Z\"",
              "\"Id@odata.type\":\"Edm.Guid\",\"Id\":\"c9da6455-213d-42c9-9a79-3e9149a57833\"",
              "\"Bytes@odata.type\":\"Edm.Binary\",\"Bytes\":\"AAH+/w==\"")
          .doesNotContain("Nothing");
      String plain = "Accept: application/json;odata=nometadata";
      assertThat(tables.owner("GET", "/Staff(PartitionKey='',RowKey='')", "", plain).body())
          .contains("empty keys");
      assertThat(
              tables
                  .owner("GET", "/Staff(PartitionKey='o''brien',RowKey='100%20%25')", "", plain)
                  .body())
          .contains("odd keys");
      assertThat(tables.owner("GET", "/Empty()", "", plain).body()).isEqualTo("{\"value\":[]}");
      assertThat(tables.owner("GET", "/Staff?comp=acl", "").body())
          .contains("<Id>readers</Id>", "<Start>2024-01-01", "<Permission>r</Permission>");
      assertThat(tables.owner("GET", "/?restype=service&comp=properties", "").body())
          .contains("<AllowedOrigins>http://a.example</AllowedOrigins>", "<Delete>true</Delete>")
          .contains("<Days>3</Days>");
    }
  }

  @Test
  void messagesKeepTheirIdsOrderTimesAndCounts() throws IOException {
    run(false);
    try (LazuliServer server = start();
        WireServer queues = WireServer.onQueues(server)) {
      Answer metadata = queues.owner("GET", "/jobs?comp=metadata", "");
      assertThat(metadata.header("x-ms-approximate-messages-count")).isEqualTo("5");
      assertThat(metadata.header("x-ms-meta-owner")).isEqualTo("ada");
      assertThat(queues.owner("GET", "/jobs?comp=acl", "").body())
          .contains("<Id>workers</Id>", "<Permission>rp</Permission>");
      String seen = queues.owner("GET", "/jobs/messages?peekonly=true&numofmessages=32", "").body();
      assertThat(seen)
          .containsSubsequence(
              "0f157f41-8f5a-4bae-9fcf-e3263e3b1349",
              "Sun, 15 Nov 2026 15:50:09 GMT",
              "<MessageText>first</MessageText>",
              "<MessageText>second</MessageText>")
          .doesNotContain("taken", "later", "gone soon");
      // The receipt is derived from the insertion time and the number of hand-outs.
      String receipt =
          new PopReceipt(Ticks.of(Instant.parse("2026-11-15T15:50:09.059Z")), 1).text();
      String taken = "/jobs/messages/e97cd45b-47c8-4a55-a122-b41b7fc2693c?popreceipt=" + receipt;
      assertThat(queues.owner("PUT", taken + "&visibilitytimeout=0", "").status()).isEqualTo(204);
      assertThat(queues.owner("GET", "/jobs/messages?numofmessages=32", "").body())
          .containsSubsequence(
              "e97cd45b-47c8-4a55-a122-b41b7fc2693c",
              "<DequeueCount>2</DequeueCount>",
              "<MessageText>taken &lt;&amp;&gt; ☕</MessageText>");
    }
  }

  @Test
  void blobsKeepTheirBytesBlocksSnapshotsAndProperties() throws Exception {
    run(false);
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      Answer plain = blobs.anybody("GET", "/box/folder/plain%20%E2%98%95.txt", "");
      assertThat(plain.body()).isEqualTo("hello");
      assertThat(plain.headers())
          .containsEntry("content-type", "text/plain; charset=utf-8")
          .containsEntry("content-language", "en")
          .containsEntry("cache-control", "no-store")
          .containsEntry("content-disposition", "inline")
          .containsEntry("content-encoding", "identity")
          .containsEntry("content-md5", "XUFAKrxLKna5cZ2REBfFkg==")
          .containsEntry("x-ms-meta-color", "blue")
          .containsEntry("x-ms-tag-count", "2");
      assertThat(blobs.owner("GET", "/box/empty", "").body()).isEmpty();
      assertThat(blobs.owner("GET", "/box/log", "").body()).isEqualTo("one\ntwo\nthree\n");
      assertThat(blobs.owner("GET", "/box/copy", "").body()).isEqualTo("version three");
      assertThat(blobs.owner("GET", "/box/shot", "").body()).isEqualTo("version three");
      assertThat(blocks(server)).isEqualTo(expectedBlocks());
      assertThat(blobs.owner("GET", "/box/blocks?comp=blocklist&blocklisttype=all", "").body())
          .containsSubsequence("YmxvY2stMg==", "YmxvY2stMA==", "YmxvY2stMQ==", "YmxvY2stMw==");
      assertThat(blobs.owner("GET", "/box/staged?comp=blocklist&blocklisttype=all", "").body())
          .contains("<UncommittedBlocks><Block><Name>YmxvY2stMA==</Name><Size>10</Size>");
      Answer leased = blobs.owner("GET", "/box/leased", "");
      assertThat(leased.header("x-ms-lease-duration")).isEqualTo("infinite");
      String put = "x-ms-blob-type: BlockBlob";
      String lease = "x-ms-lease-id: 11111111-2222-3333-4444-555555555555";
      assertThat(blobs.owner("PUT", "/box/leased", "x", put).status()).isEqualTo(412);
      assertThat(blobs.owner("PUT", "/box/leased", "x", put, lease).status()).isEqualTo(201);
      assertThat(snapshots(blobs)).containsExactly("1: version one", "snap: version two");
      assertThat(blobs.owner("GET", "/box/shot", "").header("x-ms-meta-v")).isEqualTo("3");
      Answer container = blobs.owner("GET", "/box?restype=container", "");
      assertThat(container.header("x-ms-meta-owner")).isEqualTo("ada");
      assertThat(container.header("x-ms-blob-public-access")).isEqualTo("blob");
      assertThat(blobs.owner("GET", "/box?restype=container&comp=acl", "").body())
          .contains("<Id>readers</Id>", "<Permission>rl</Permission>");
    }
  }

  /** A large block becomes a chunk, not a record. */
  @Test
  void aLargeBlockComesBackByteForByte() throws Exception {
    byte[] large = new byte[70_000];
    new Random(70).nextBytes(large);
    try (Stream<Path> extents = Files.list(azurite().resolve("__blobstorage__"))) {
      Files.write(extents.findFirst().orElseThrow(), large, StandardOpenOption.APPEND);
    }
    Path file = azurite().resolve("__azurite_db_blob__.json");
    String changed =
        Files.readString(file)
            .replace("\"offset\":2006,\"count\":1002", "\"offset\":3571,\"count\":70000")
            .replace("\"contentLength\":3003", "\"contentLength\":72001");
    Files.writeString(file, changed);
    run(false);
    try (LazuliServer server = start()) {
      byte[] expected = new byte[72_001];
      System.arraycopy(large, 0, expected, 0, large.length);
      System.arraycopy(expectedBlocks(), 1002, expected, large.length, 2001);
      assertThat(blocks(server)).isEqualTo(expected);
    }
  }

  @Test
  void existingDataStaysUnlessReplaceIsAskedFor() throws IOException {
    run(false);
    problems.clear();
    ImportReport second = run(false);
    assertThat(problems).hasSize(6).allMatch(line -> line.contains("it already exists"));
    assertThat(second.summary()).isEqualTo("nothing");
    problems.clear();
    ImportReport third = run(true);
    assertThat(problems).containsExactly(KNOWN_LOSSES);
    assertThat(third.summary()).contains("15 entities", "5 messages", "7 blobs");
    try (LazuliServer server = start();
        WireServer queues = WireServer.onQueues(server)) {
      assertThat(
              queues
                  .owner("GET", "/jobs?comp=metadata", "")
                  .header("x-ms-approximate-messages-count"))
          .isEqualTo("5");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 5000, 9000})
  void aTruncatedFileIsReportedAndReadUpToItsEnd(int length) throws IOException {
    Path file = azurite().resolve("__azurite_db_table__.json");
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
    ImportReport report = run(false);
    assertThat(problems.get(0)).startsWith("left out: the rest of __azurite_db_table__.json: ");
    assertThat(report.summary()).contains("5 messages").contains("7 blobs");
    if (length == 9000) {
      assertThat(report.summary()).containsPattern("^2 tables, 1\\d entities");
    }
  }

  @Test
  void damagedExtentsAreReportedAndLeaveNoHalfBlob() throws IOException {
    truncate("__blobstorage__", 3530);
    truncate("__queuestorage__", 20);
    run(false);
    assertThat(problems)
        .anyMatch(line -> line.contains("blob devstoreaccount1/box/log: the extent"))
        .anyMatch(line -> line.contains("blob devstoreaccount1/box/shot: the extent"))
        .anyMatch(line -> line.contains("message 8c7dec42-210a-434f-b333-7e69531c3cbc"))
        .filteredOn(line -> line.contains("is too short"))
        .hasSize(8);
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/box/log", "").status()).isEqualTo(404);
      assertThat(blobs.owner("GET", "/box/shot", "").status()).isEqualTo(404);
      assertThat(blobs.owner("GET", "/box/blocks", "").status()).isEqualTo(200);
    }
  }

  @Test
  void aDamagedBlobIsLeftOutTogetherWithItsSnapshots() throws IOException {
    // This position is after both snapshots, in the middle of the blob itself.
    truncate("__blobstorage__", 3560);
    assertThat(run(false).summary()).doesNotContain("snapshots");
    assertThat(problems)
        .contains(
            "left out: 2 snapshots of blob devstoreaccount1/box/shot: their blob is left out");
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/box/shot", "").status()).isEqualTo(404);
      assertThat(snapshots(blobs)).isEmpty();
    }
  }

  /** Skipping a document checks less of it than reading does. */
  @ParameterizedTest
  @CsvSource({
    "table, devstoreaccount1$Staff",
    "queue, $MESSAGES_COLLECTION$",
    "blob, $BLOBS_COLLECTION$",
    "blob, $BLOCKS_COLLECTION$"
  })
  void damageThatOnlyALaterPassMeetsIsReportedOnce(String service, String collection)
      throws IOException {
    String file = "__azurite_db_" + service + "__.json";
    String start = "\"name\":\"" + collection + "\",\"data\":[{";
    change(file, start, start + "\"Long\":\"" + "x".repeat(17 << 20) + "\",");
    run(false);
    assertThat(problems)
        .filteredOn(line -> line.startsWith("left out: the rest of " + file + ": "))
        .hasSize(1);
  }

  @Test
  void nothingIsReplacedByATruncatedFile() throws IOException {
    run(false);
    byte[] whole = Files.readAllBytes(azurite().resolve("__azurite_db_table__.json"));
    Files.write(azurite().resolve("__azurite_db_table__.json"), Arrays.copyOf(whole, 9000));
    assertNothingIsReplaced("the rest of __azurite_db_table__.json: ");
  }

  @Test
  void nothingIsReplacedIfExtentsAreMissing() throws IOException {
    run(false);
    try (Stream<Path> extents = Files.list(azurite().resolve("__blobstorage__"))) {
      Files.delete(extents.findFirst().orElseThrow());
    }
    assertNothingIsReplaced(
        "content of __azurite_db_blob__.json: the extent"
            + " e676bced-49c5-4063-919a-07b65b3c7952 is missing");
  }

  @Test
  void nothingIsReplacedIfAnExtentIsTooShort() throws IOException {
    run(false);
    truncate("__queuestorage__", 20);
    assertNothingIsReplaced("content of __azurite_db_queue__.json: the extent ");
  }

  private void assertNothingIsReplaced(String problem) throws IOException {
    problems.clear();
    assertThat(run(true).summary()).isEqualTo("nothing");
    assertThat(problems).hasSize(2);
    assertThat(problems.get(0)).startsWith("left out: " + problem);
    assertThat(problems.get(1)).startsWith("left out: everything: ");
    try (LazuliServer server = start();
        WireServer tables = WireServer.onTables(server);
        WireServer queues = WireServer.onQueues(server);
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(tables.owner("GET", "/Staff(PartitionKey='types',RowKey='all')", "").status())
          .isEqualTo(200);
      assertThat(queues.owner("GET", "/jobs/messages?peekonly=true", "").body()).contains("first");
      assertThat(blobs.owner("GET", "/box/shot", "").body()).isEqualTo("version three");
    }
  }

  /**
   * Azurite does not check an MD5 that is set later, and forgets the MD5 if only other headers are
   * set.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'Buffer','data':[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,255]} |"
            + " AQIDBAUGBwgJCgsMDQ4P/w==",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,255] | AQIDBAUGBwgJCgsMDQ4P/w==",
        "'AQIDBAUGBwgJCgsMDQ4P/w==' | AQIDBAUGBwgJCgsMDQ4P/w==",
        "null | "
      },
      quoteCharacter = '`')
  void aBlobKeepsItsMd5(String json, @Nullable String expected) throws IOException {
    replaceMd5(json.replace('\'', '"'));
    run(false);
    assertThat(problems).containsExactly(KNOWN_LOSSES);
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      Answer plain = blobs.owner("GET", "/box/folder/plain%20%E2%98%95.txt", "");
      assertThat(plain.body()).isEqualTo("hello");
      assertThat(plain.headers().get("content-md5")).isEqualTo(expected);
    }
  }

  @Test
  void anInvalidMd5IsReportedAndTheBlobIsImported() throws IOException {
    replaceMd5("[1,2,3]");
    run(false);
    assertThat(problems.get(1))
        .startsWith("left out: Content-MD5 of blob devstoreaccount1/box/folder/plain")
        .contains("InvalidMd5");
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/box/folder/plain%20%E2%98%95.txt", "").body())
          .isEqualTo("hello");
    }
  }

  private void replaceMd5(String json) throws IOException {
    Path file = azurite().resolve("__azurite_db_blob__.json");
    String text = Files.readString(file);
    String changed =
        text.replaceFirst("\"contentMD5\":\\{\"0\":93,[^}]*}", "\"contentMD5\":" + json);
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(file, changed);
  }

  @Test
  void aBlobReplacedByAnEmptyListIsEmpty() throws IOException {
    change(
        "__azurite_db_blob__.json",
        "\"contentLength\":5,",
        "\"contentLength\":0,\"committedBlocksInOrder\":[],");
    run(false);
    assertThat(problems).containsExactly(KNOWN_LOSSES);
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      Answer plain = blobs.owner("GET", "/box/folder/plain%20%E2%98%95.txt", "");
      assertThat(plain.status()).isEqualTo(200);
      assertThat(plain.body()).isEmpty();
    }
  }

  @Test
  void blocksOfABlobThatIsLeftOutAreRemoved() throws IOException {
    // This changes the last block of the list.
    change("__azurite_db_blob__.json", "\"offset\":1005,", "\"offset\":90000,");
    run(false);
    assertThat(problems)
        .anyMatch(
            line -> line.startsWith("left out: blob devstoreaccount1/box/blocks: the extent"));
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/box/blocks?comp=blocklist&blocklisttype=all", "").body())
          .contains("YmxvY2stMw==")
          .doesNotContain("YmxvY2stMg==", "YmxvY2stMA==");
    }
  }

  @Test
  void aBlobMadeForItsSnapshotIsMarkedUnfinished() throws IOException {
    // This position is after the first snapshot, in the middle of the second one.
    truncate("__blobstorage__", 3545);
    ImportReport interrupting =
        new ImportReport(
            progress::add,
            line -> {
              if (line.contains("snapshot 2026")) {
                throw new IllegalStateException("interrupted");
              }
            });
    assertThatThrownBy(() -> run(false, interrupting)).hasMessage("interrupted");
    try (LazuliServer server = start();
        WireServer blobs = WireServer.onBlobs(server)) {
      Answer shot = blobs.owner("GET", "/box/shot", "");
      assertThat(shot.body()).isEqualTo("version one");
      assertThat(shot.header("x-ms-meta-lazuli_import")).isEqualTo("unfinished");
      assertThat(snapshots(blobs)).containsExactly("1: version one");
    }
  }

  @Test
  void accountsThatNobodyHasAKeyForAreReported() throws IOException {
    change("__azurite_db_queue__.json", "devstoreaccount1", "team");
    ImportReport report = run(false);
    assertThat(problems)
        .contains("there is no account team yet; create it with lazuli account add team")
        .noneMatch(line -> line.startsWith("there is no account devstoreaccount1"));
    assertThat(report.leftOut()).isEqualTo(KNOWN_LOSSES.length);
  }

  @Test
  void unknownCollectionsAreReported() throws IOException {
    change("__azurite_db_queue__.json", "\"$MESSAGES_COLLECTION$\"", "\"$OTHER$\"");
    change("__azurite_db_table__.json", "devstoreaccount1$Empty", "devstoreaccount1$Lost");
    run(false);
    assertThat(problems)
        .contains(
            "left out: collection $OTHER$ of __azurite_db_queue__.json: unknown collection",
            "left out: collection devstoreaccount1$Lost of __azurite_db_table__.json: it belongs to"
                + " no table");
  }

  private void change(String file, String from, String to) throws IOException {
    Path path = azurite().resolve(file);
    String text = Files.readString(path);
    assertThat(text).contains(from);
    Files.writeString(path, text.replace(from, to));
  }

  private void truncate(String extents, int length) throws IOException {
    try (Stream<Path> files = Files.list(azurite().resolve(extents))) {
      for (Path file : files.toList()) {
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
      }
    }
  }

  /** A container with a protected blob cannot be deleted, and replacing it would delete it. */
  @Test
  void aContainerWithAProtectedBlobIsNotReplaced() throws IOException {
    run(false);
    ServerConfig config =
        ServerConfig.builder()
            .dataFolder(folder.resolve("data"))
            .freePorts()
            .blobVersioning(true)
            .blobImmutability(true)
            .build();
    try (LazuliServer server = LazuliServer.start(config);
        WireServer blobs = WireServer.onBlobs(server)) {
      String[] held = {"x-ms-blob-type: BlockBlob", "x-ms-legal-hold: true"};
      assertThat(blobs.owner("PUT", "/box/held", "kept", held).status()).isEqualTo(201);
    }
    problems.clear();
    run(true);
    assertThat(problems)
        .anyMatch(line -> line.contains("devstoreaccount1/box") && line.contains("immutable"));
    try (LazuliServer server = LazuliServer.start(config);
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/box/held", "").body()).isEqualTo("kept");
      assertThat(blobs.owner("HEAD", "/box/held", "").header("x-ms-legal-hold")).isEqualTo("true");
    }
  }

  private Path azurite() {
    return folder.resolve("azurite");
  }

  private ServerConfig config() {
    return ServerConfig.builder().dataFolder(folder.resolve("data")).freePorts().build();
  }

  private ImportReport run(boolean replace) {
    return run(replace, new ImportReport(progress::add, problems::add));
  }

  private ImportReport run(boolean replace, ImportReport report) {
    try (OfflineStore store = OfflineStore.open(config().store())) {
      new AzuriteImport(
              azurite(), store, replace, name -> ServerAccounts.knows(config(), name), report)
          .run();
    }
    return report;
  }

  private LazuliServer start() {
    return LazuliServer.start(config());
  }

  private static byte[] blocks(LazuliServer server) throws IOException, InterruptedException {
    URI uri = URI.create(server.blobEndpoint() + "/box/blocks");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray())
        .body();
  }

  /** Returns three blocks of about 1,000 bytes each, in the order 2, 0, 1. */
  private static byte[] expectedBlocks() {
    byte[] all = new byte[3003];
    int at = 0;
    for (int block : new int[] {2, 0, 1}) {
      for (int i = 0; i < 1000 + block; i++) {
        all[at++] = (byte) (i * 31 + block);
      }
    }
    return all;
  }

  /** Returns each snapshot's metadata value {@code v} and its content. */
  private static List<String> snapshots(WireServer blobs) {
    String list =
        blobs.owner("GET", "/box?restype=container&comp=list&include=snapshots", "").body();
    List<String> contents = new ArrayList<>();
    for (String part : list.split("<Snapshot>", -1)) {
      if (part.contains("</Snapshot>")) {
        String time = part.substring(0, part.indexOf("</Snapshot>"));
        Answer snapshot = blobs.owner("GET", "/box/shot?snapshot=" + time, "");
        contents.add(snapshot.header("x-ms-meta-v") + ": " + snapshot.body());
      }
    }
    assertThat(list.getBytes(StandardCharsets.UTF_8)).isNotEmpty();
    return contents;
  }
}
