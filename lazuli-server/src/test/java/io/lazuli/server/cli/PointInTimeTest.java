package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreCut;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Restores moments between backups with the command line. */
class PointInTimeTest {
  private static final String LARGE = "x".repeat(100_000);
  private static final String JSON = "Content-Type: application/json";
  private static final String BLOB = "x-ms-blob-type: BlockBlob";

  @TempDir private Path folder;
  private Path data;
  private Path target;
  private LazuliServer server;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() {
    data = folder.resolve("data");
    target = folder.resolve("target");
    server = startArchiving();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aMomentBetweenBackupsComesBack() throws IOException {
    awaitWindow();
    put("1");
    Instant first = afterNow();
    delete("/con/b");
    drop();
    Instant dropped = afterNow();
    put("2");
    server.close();
    assertThat(run("backup", target, "--verify")).isZero();
    assertThat(restored(first)).containsExactly("\"Text\":\"1\"", ">1<", LARGE + "1");
    assertThat(restored(dropped)).containsExactly("TableNotFound", "none", "BlobNotFound");
    assertThat(run("restore", target, "--data", folder.resolve("newest"))).isZero();
  }

  @Test
  void oneTableComesBackIntoTheRunningServer() throws IOException {
    awaitWindow();
    put("1");
    Instant first = afterNow();
    drop();
    delete("/con?restype=container");
    awaitWindow(Instant.now());
    assertThat(
            run("restore", target, "--at", first, "--table", "devstoreaccount1/tbl", "--as", "old"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).contains("of " + first + " was restored as old");
    assertThat(
            run(
                "restore",
                target,
                "--at",
                first,
                "--container",
                "devstoreaccount1/con",
                "--as",
                "old"))
        .isZero();
    try (WireServer tables = WireServer.onTables(server);
        WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(tables.owner("GET", "/old(PartitionKey='p',RowKey='r')", "").body())
          .contains("\"Text\":\"1\"");
      assertThat(blobs.owner("GET", "/old/b", "").body()).isEqualTo(LARGE + "1");
    }
  }

  @Test
  void momentsOutsideTheWindowAreRefused() throws IOException {
    Instant before = Instant.now().minusSeconds(60);
    awaitWindow();
    put("1");
    server.close();
    for (Instant outside : List.of(before, Instant.now().plusSeconds(60))) {
      assertThat(run("restore", target, "--at", outside, "--data", folder.resolve("no")))
          .isEqualTo(1);
      assertThat(err.toString())
          .contains(outside + " cannot be restored: " + target + " has ")
          .contains("Z to ");
    }
    assertThat(run("restore", target, "--at", "yesterday", "--data", folder.resolve("no")))
        .isEqualTo(2);
    assertThat(folder.resolve("no")).doesNotExist();
    Path plain = folder.resolve("plain");
    server = LazuliServer.start(config().build());
    assertThat(run("backup", plain)).isZero();
    assertThat(run("restore", plain, "--at", before, "--data", folder.resolve("no"))).isEqualTo(1);
    assertThat(err.toString()).contains("has no archive");
  }

  @Test
  void aRestartGoesOnWithTheArchiveAndATimeWithoutItIsAGap() throws IOException {
    awaitWindow();
    put("1");
    server.close();
    server = startArchiving();
    put("2");
    Instant second = afterNow();
    server.close();
    assertThat(run("backup", target, "--list")).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("any moment"))).hasSize(1);
    server = LazuliServer.start(config().build());
    put("3");
    Instant third = afterNow();
    server.close();
    server = startArchiving();
    awaitWindow(third);
    server.close();
    assertThat(run("backup", target, "--list")).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("any moment"))).hasSize(2);
    assertThat(restored(second)).containsExactly("\"Text\":\"2\"", ">2<", LARGE + "2");
    assertThat(run("restore", target, "--at", third, "--data", folder.resolve("no"))).isEqualTo(1);
    assertThat(err.toString()).contains(", and ");
  }

  @Test
  void aDamagedSegmentIsFoundAndNotReplayedPast() throws IOException {
    awaitWindow();
    put("1");
    Instant first = afterNow();
    server.close();
    Path segment = segments().get(segments().size() - 1);
    byte[] bytes = Files.readAllBytes(segment);
    bytes[bytes.length / 2] ^= 1;
    Files.write(segment, bytes);
    assertThat(run("backup", target, "--verify")).isEqualTo(1);
    assertThat(out.toString()).contains("cannot be used").contains("can be restored");
    Path no = folder.resolve("no");
    assertThat(run("restore", target, "--at", first, "--data", no)).isEqualTo(1);
    assertThat(err.toString()).contains("cannot be used").contains("can be restored");
    assertThat(no.resolve(StoreCut.UNFINISHED)).exists();
    assertThatThrownBy(() -> LazuliServer.start(config().dataFolder(no).build()))
        .isInstanceOf(EngineOpenException.class);
    Files.delete(segment);
    assertThat(run("restore", target, "--at", first, "--data", folder.resolve("no2"))).isEqualTo(1);
    // The server goes on with a new chain.
    server = startArchiving();
    awaitWindow(first);
    put("2");
    Instant second = afterNow();
    server.close();
    assertThat(restored(second)).containsExactly("\"Text\":\"2\"", ">2<", LARGE + "2");
  }

  @Test
  void pruningKeepsWhatTheOldestBackupNeeds() throws IOException {
    awaitWindow();
    put("1");
    Instant first = afterNow();
    delete("/con/b");
    assertThat(run("backup", target)).isZero();
    put("2");
    Instant second = afterNow();
    delete("/con/b");
    put("3");
    Instant third = afterNow();
    server.close();
    assertThat(run("backup", target, "--prune", "--keep", "2")).isZero();
    int before = segments().size();
    assertThat(restored(first)).containsExactly("\"Text\":\"1\"", ">1<", LARGE + "1");
    assertThat(run("backup", target, "--prune", "--keep", "1")).isZero();
    assertThat(segments()).hasSizeLessThan(before);
    assertThat(run("backup", target, "--verify")).as(out.toString()).isZero();
    assertThat(restored(second)).containsExactly("\"Text\":\"2\"", ">2<", LARGE + "2");
    assertThat(restored(third)).containsExactly("\"Text\":\"3\"", ">3<", LARGE + "3");
    assertThat(run("restore", target, "--at", first, "--data", folder.resolve("no"))).isEqualTo(1);
    server = startArchiving();
    put("4");
    server.close();
    assertThat(run("backup", target, "--list")).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("any moment"))).hasSize(1);
  }

  /** A server archives chunks while others that nothing needs any more are removed. */
  @Test
  void pruningWhileTheServerArchivesRemovesNothingThatIsNeeded() throws Exception {
    awaitWindow();
    AtomicBoolean stopping = new AtomicBoolean();
    AtomicInteger puts = new AtomicInteger();
    Thread writer =
        new Thread(
            () -> {
              try (WireServer blobs = WireServer.onBlobs(server)) {
                blobs.owner("PUT", "/busy?restype=container", "");
                while (!stopping.get()) {
                  String content = LARGE + puts.incrementAndGet();
                  assertThat(blobs.owner("PUT", "/busy/b", content, BLOB).status()).isEqualTo(201);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    writer.start();
    Instant before = Instant.EPOCH;
    for (int i = 1; i <= 3; i++) {
      put("" + i);
      before = afterNow();
      awaitWindow(before);
      assertThat(run("backup", target)).as(err.toString()).isZero();
      assertThat(run("backup", target, "--prune", "--keep", "1")).as(err.toString()).isZero();
    }
    put("4");
    Instant last = afterNow();
    stopping.set(true);
    writer.join();
    Instant quiet = afterNow();
    awaitWindow(quiet);
    server.close();
    assertThat(puts).hasPositiveValue();
    assertThat(run("backup", target, "--verify")).as(out.toString()).isZero();
    assertThat(restored(last)).containsExactly("\"Text\":\"4\"", ">4<", LARGE + "4");
    assertThat(run("restore", target, "--at", before, "--data", folder.resolve("no"))).isEqualTo(1);
    Path copy = folder.resolve("quiet");
    assertThat(run("restore", target, "--at", quiet, "--data", copy)).as(err.toString()).isZero();
    try (LazuliServer other = LazuliServer.start(config().dataFolder(copy).build());
        WireServer blobs = WireServer.onBlobs(other)) {
      assertThat(blobs.owner("GET", "/busy/b", "").body()).isEqualTo(LARGE + puts.get());
    }
  }

  /** The target is away for so long that more changes wait than may. */
  @Test
  void aServerWithTooManyChangesGivesThemUpAndGoesOn() throws Exception {
    server.close();
    server = startArchiving(plan -> plan.withArchiveDiskMib(1));
    awaitWindow();
    put("1");
    Instant first = afterNow();
    awaitWindow(first);
    await().until(() -> metric("lazuli_archive_waiting_bytes") == 0);
    double gaps = metric("lazuli_archive_gaps_total");
    Path away = folder.resolve("away");
    Files.move(target, away);
    Files.writeString(target, "not a folder");
    long[] most = {0};
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              put("2");
              long waiting = (long) metric("lazuli_archive_waiting_bytes");
              most[0] = Math.max(most[0], waiting);
              return waiting < most[0];
            });
    Instant lost = afterNow();
    Files.delete(target);
    Files.move(away, target);
    awaitWindow(lost);
    put("3");
    Instant third = afterNow();
    assertThat(metric("lazuli_archive_gaps_total")).isEqualTo(gaps + 1);
    server.close();
    assertThat(restored(first)).containsExactly("\"Text\":\"1\"", ">1<", LARGE + "1");
    assertThat(restored(third)).containsExactly("\"Text\":\"3\"", ">3<", LARGE + "3");
    assertThat(run("restore", target, "--at", lost, "--data", folder.resolve("no"))).isEqualTo(1);
  }

  private double metric(String name) throws IOException {
    URL metrics = URI.create("http://127.0.0.1:" + server.adminPort() + "/metrics").toURL();
    try (InputStream in = metrics.openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .sum();
    }
  }

  /** Neither a backup nor a moment loses a hold, whatever the switches of the server say. */
  @Test
  void protectedBlobsComeBackProtected() throws IOException {
    server.close();
    server =
        LazuliServer.start(
            archiving(plan -> plan).blobVersioning(true).blobImmutability(true).build());
    awaitWindow();
    String policy = "x-ms-immutability-policy-until-date: Fri, 01 Jan 2100 00:00:00 GMT";
    Instant held;
    try (WireServer blobs = WireServer.onBlobs(server)) {
      for (String path : List.of("/held", "/kept")) {
        assertThat(blobs.owner("PUT", path + "?restype=container", "").status()).isEqualTo(201);
        assertThat(blobs.owner("PUT", path + "/b", "1", BLOB).status()).isEqualTo(201);
      }
      String hold = "x-ms-legal-hold: ";
      assertThat(blobs.owner("PUT", "/held/b?comp=legalhold", "", hold + "true").status())
          .isEqualTo(200);
      assertThat(blobs.owner("PUT", "/kept/b?comp=immutabilityPolicies", "", policy).status())
          .isEqualTo(200);
      held = afterNow();
      assertThat(blobs.owner("PUT", "/held/b?comp=legalhold", "", hold + "false").status())
          .isEqualTo(200);
      assertThat(blobs.owner("DELETE", "/held?restype=container", "").status()).isEqualTo(202);
    }
    assertThat(run("backup", target)).as(err.toString()).isZero();
    awaitWindow(held);
    server.close();
    Path moment = folder.resolve("moment");
    assertThat(run("restore", target, "--at", held, "--data", moment)).as(err.toString()).isZero();
    assertThat(deletions(moment, "/held", "/kept")).containsExactly(409, 409);
    Path newest = folder.resolve("newest");
    assertThat(run("restore", target, "--data", newest)).as(err.toString()).isZero();
    assertThat(deletions(newest, "/held", "/kept")).containsExactly(404, 409);
  }

  /** Tries to delete the blob and then the container; returns what the last one was answered. */
  private List<Integer> deletions(Path copy, String... containers) throws IOException {
    List<Integer> answers = new ArrayList<>();
    try (LazuliServer other = LazuliServer.start(config().dataFolder(copy).build());
        WireServer blobs = WireServer.onBlobs(other)) {
      for (String container : containers) {
        int blob = blobs.owner("DELETE", container + "/b", "").status();
        int whole = blobs.owner("DELETE", container + "?restype=container", "").status();
        assertThat(blob).isIn(202, 404);
        answers.add(whole);
      }
    }
    return answers;
  }

  @Test
  void aTargetThatCannotBeUsedIsReported() throws IOException {
    server.close();
    Path used = Files.createDirectories(folder.resolve("used"));
    Files.writeString(used.resolve("letter"), "text");
    target = used;
    server = startArchiving();
    URL health = URI.create("http://127.0.0.1:" + server.adminPort() + "/health").toURL();
    await()
        .untilAsserted(
            () -> {
              try (InputStream in = health.openStream()) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .contains("degraded", "the archive is ", "is not empty and holds no backups");
              }
            });
    assertThat(used).isDirectoryNotContaining("glob:**/archive");
  }

  @Test
  void onlyTheEngineOnDiskHasAnArchive() {
    ServerConfig memory =
        config()
            .engine("memory")
            .backup(plan -> plan.withTarget(target.toString()).withArchive(true))
            .build();
    assertThatThrownBy(() -> LazuliServer.start(memory))
        .hasMessageContaining("the engine memory cannot restore a point in time");
    server.close();
    assertThatThrownBy(
            () -> LazuliServer.start(config().backup(plan -> plan.withArchive(true)).build()))
        .hasMessageContaining("backup-archive needs backup-target");
  }

  private LazuliServer startArchiving() {
    return startArchiving(plan -> plan);
  }

  private LazuliServer startArchiving(UnaryOperator<BackupConfig> more) {
    return LazuliServer.start(archiving(more).build());
  }

  private ServerConfig.Builder archiving(UnaryOperator<BackupConfig> more) {
    return config()
        .backup(
            plan ->
                more.apply(plan.withTarget(target.toString()).withArchive(true).withRateMib(0)));
  }

  private ServerConfig.Builder config() {
    return ServerConfig.builder().freePorts().dataFolder(data);
  }

  private void awaitWindow() {
    awaitWindow(Instant.EPOCH);
  }

  /** Waits until the archive has everything up to a moment. */
  private void awaitWindow(Instant moment) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                run("backup", target, "--list") == 0
                    && out.toString()
                        .lines()
                        .filter(line -> line.startsWith("any moment from "))
                        .map(line -> Instant.parse(line.replaceAll(".* to ", "")))
                        .anyMatch(end -> end.isAfter(moment)));
  }

  /** Returns a moment after everything that was written so far. */
  private static Instant afterNow() {
    Instant now = Instant.now();
    await().pollInterval(Duration.ofMillis(1)).until(() -> Instant.now().isAfter(now));
    return now;
  }

  private void put(String text) throws IOException {
    try (WireServer tables = WireServer.onTables(server);
        WireServer queues = WireServer.onQueues(server);
        WireServer blobs = WireServer.onBlobs(server)) {
      tables.owner("POST", "/Tables", "{\"TableName\":\"tbl\"}", JSON);
      String entity = "/tbl(PartitionKey='p',RowKey='r')";
      assertThat(tables.owner("PUT", entity, "{\"Text\":\"" + text + "\"}", JSON).status())
          .isEqualTo(204);
      queues.owner("PUT", "/que", "");
      queues.owner("DELETE", "/que/messages", "");
      String message = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
      assertThat(queues.owner("POST", "/que/messages", message).status()).isEqualTo(201);
      blobs.owner("PUT", "/con?restype=container", "");
      assertThat(blobs.owner("PUT", "/con/b", LARGE + text, BLOB).status()).isEqualTo(201);
    }
  }

  /** Drops the table and the messages. */
  private void drop() throws IOException {
    try (WireServer tables = WireServer.onTables(server);
        WireServer queues = WireServer.onQueues(server)) {
      assertThat(tables.owner("DELETE", "/Tables('tbl')", "").status()).isEqualTo(204);
      assertThat(queues.owner("DELETE", "/que/messages", "").status()).isEqualTo(204);
    }
  }

  private void delete(String path) throws IOException {
    try (WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("DELETE", path, "").status()).isEqualTo(202);
    }
  }

  /** Restores a moment and returns the text of the entity, the message and the blob. */
  private List<String> restored(Instant moment) throws IOException {
    Path copy = Files.createTempDirectory(folder, "restored").resolve("data");
    assertThat(run("restore", target, "--at", moment, "--data", copy)).as(err.toString()).isZero();
    assertThat(out.toString()).contains(moment + " (backup ");
    try (LazuliServer other = LazuliServer.start(config().dataFolder(copy).build());
        WireServer tables = WireServer.onTables(other);
        WireServer queues = WireServer.onQueues(other);
        WireServer blobs = WireServer.onBlobs(other)) {
      String entity = tables.owner("GET", "/tbl(PartitionKey='p',RowKey='r')", "").body();
      String message = queues.owner("GET", "/que/messages?peekonly=true", "").body();
      String blob = blobs.owner("GET", "/con/b", "").body();
      return List.of(
          entity.replaceAll("(?s).*(\"Text\":\"\\d\"|TableNotFound).*", "$1"),
          message.contains("MessageText")
              ? message.replaceAll("(?s).*MessageText(>\\d<).*", "$1")
              : "none",
          blob.contains("BlobNotFound") ? "BlobNotFound" : blob);
    }
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.walk(target.resolve("archive"))) {
      return files.filter(file -> file.getFileName().toString().length() > 70).sorted().toList();
    }
  }

  private int run(Object... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] args = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    boolean named = Arrays.asList(args).contains("--data");
    String[] all = Arrays.copyOf(args, args.length + (named ? 0 : 2));
    if (!named) {
      all[args.length] = "--data";
      all[args.length + 1] = data.toString();
    }
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), Map.of()), Map.of());
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(all);
  }
}
