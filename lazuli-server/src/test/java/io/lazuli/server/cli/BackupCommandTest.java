package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreCut;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Backs up a running server with the command line, and restores it. */
class BackupCommandTest {
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
    server = start(data);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aRestoredBackupHasTheDataOfItsMoment() throws IOException {
    write("1");
    assertThat(run("backup", target)).isZero();
    assertThat(out.toString()).contains(" is complete: ");
    write("2");
    server.close();
    Path restored = folder.resolve("restored");
    assertThat(run("restore", target, "--data", restored)).isZero();
    try (LazuliServer other = start(restored)) {
      assertThat(read(other)).containsExactly("\"Text\":\"1\"", ">1<", LARGE + "1");
    }
    server = start(data);
    assertThat(read(server)).containsExactly("\"Text\":\"2\"", ">2<", LARGE + "2");
  }

  @Test
  void aSecondBackupCopiesOnlyWhatIsNew() throws IOException {
    for (int i = 0; i < 20; i++) {
      blob("kept" + i, LARGE + i);
    }
    assertThat(run("backup", target, "--json")).isZero();
    long first = number("copiedBytes");
    assertThat(first).isGreaterThan(2_000_000);
    blob("new", LARGE);
    assertThat(run("backup", target, "--json")).isZero();
    assertThat(number("copiedBytes")).isBetween(100_000L, 300_000L);
    assertThat(number("storedBytes")).isGreaterThan(first);
    assertThat(run("backup", target, "--list")).isZero();
    assertThat(out.toString()).hasLineCount(2);
    assertThat(run("backup", target, "--verify")).isZero();
  }

  @Test
  void prunedBackupsAreGoneAndTheOthersAreWhole() throws IOException {
    blob("b", LARGE + "1");
    assertThat(run("backup", target)).isZero();
    blob("b", LARGE + "2");
    assertThat(run("backup", target)).isZero();
    long before = objects().size();
    assertThat(run("backup", target, "--prune")).isEqualTo(2);
    assertThat(run("backup", target, "--prune", "--keep", "1")).isZero();
    assertThat(out.toString()).startsWith("removed ").hasLineCount(1);
    assertThat(objects()).hasSizeLessThan((int) before);
    assertThat(run("backup", target, "--verify")).isZero();
    server.close();
    assertThat(run("restore", target, "--data", folder.resolve("restored"))).isZero();
    try (LazuliServer other = start(folder.resolve("restored"));
        WireServer blobs = WireServer.onBlobs(other)) {
      assertThat(blobs.owner("GET", "/con/b", "").body()).isEqualTo(LARGE + "2");
    }
  }

  @Test
  void damageIsFoundAndNeverRestored() throws IOException {
    blob("b", LARGE);
    assertThat(run("backup", target)).isZero();
    Path damaged = objects().stream().filter(file -> size(file) == LARGE.length()).findAny().get();
    Files.writeString(damaged, "y", StandardOpenOption.WRITE);
    assertThat(run("backup", target, "--verify")).isEqualTo(1);
    assertThat(out.toString()).contains("is damaged");
    Path restored = folder.resolve("restored");
    assertThat(run("restore", target, "--data", restored)).isEqualTo(1);
    assertThat(err.toString()).contains("is damaged");
    assertThat(restored.resolve(StoreCut.UNFINISHED)).exists();
    assertThatThrownBy(() -> start(restored)).isInstanceOf(EngineOpenException.class);
    Files.delete(damaged);
    assertThat(run("backup", target, "--verify")).isEqualTo(1);
    assertThat(out.toString()).contains("is missing");
    // The next backup notices the missing object and copies its content again.
    assertThat(run("backup", target)).isZero();
    assertThat(run("backup", target, "--verify")).isZero();
  }

  @Test
  void aBackupThatDidNotFinishIsNotListed() throws IOException {
    write("1");
    assertThat(run("backup", target)).isZero();
    Files.writeString(target.resolve("objects/object.new"), "left by a killed process");
    Files.writeString(target.resolve("backups/20990101T000000.000Z.json.new"), "{");
    assertThat(run("backup", target, "--list")).isZero();
    assertThat(out.toString()).hasLineCount(1);
    assertThat(run("backup", target)).isZero();
    assertThat(target.resolve("objects/object.new")).doesNotExist();
  }

  @Test
  void accountsAreIncludedOnlyOnRequest() throws IOException {
    assertThat(run("account", "add", "other", "--accounts", data.resolve("accounts"))).isZero();
    assertThat(run("backup", target)).isZero();
    assertThat(run("restore", target, "--data", folder.resolve("without"))).isZero();
    assertThat(folder.resolve("without/accounts")).doesNotExist();
    assertThat(run("backup", target, "--accounts")).isZero();
    assertThat(run("restore", target, "--data", folder.resolve("with"))).isZero();
    assertThat(folder.resolve("with/accounts")).hasSameTextualContentAs(data.resolve("accounts"));
    assertThat(folder.resolve("with/admin-token")).doesNotExist();
  }

  @Test
  void whatIsNotATargetIsRefused() throws IOException {
    assertThat(run("backup", target, "--list")).isEqualTo(1);
    assertThat(err.toString()).contains("holds no backups");
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("letter"), "text");
    assertThat(run("backup", other)).isEqualTo(1);
    assertThat(out.toString()).contains("is not empty and holds no backups");
    assertThat(run("restore", other, "--data", folder.resolve("restored"))).isEqualTo(1);
    assertThat(run("backup", target)).isZero();
    assertThat(run("restore", target, "--data", other)).isEqualTo(1);
    assertThat(err.toString()).contains("needs an empty folder");
    assertThat(other).isDirectoryNotContaining("glob:**/rocksdb");
    assertThat(run("restore", target, "--backup", "../x", "--data", data)).isEqualTo(1);
    assertThat(run("backup")).isEqualTo(2);
    server.close();
    assertThat(run("backup", target)).isEqualTo(1);
    assertThat(err.toString()).contains("no server runs on the data folder");
  }

  @Test
  void aServerBacksUpByItselfAndKeepsAFew() {
    server.close();
    ServerConfig config =
        config(data)
            .backup(
                plan ->
                    plan.withTarget(target.toString()).withMinutes(1).withKeep(2).withRateMib(0))
            .build();
    server = LazuliServer.start(config);
    await().until(() -> Files.exists(target.resolve("backups")));
    await().until(() -> run("backup", target, "--list") == 0 && !out.toString().isEmpty());
  }

  @Test
  void anEngineWithoutFilesHasNoBackups() {
    try (LazuliServer memory =
        LazuliServer.start(
            ServerConfig.builder()
                .freePorts()
                .engine("memory")
                .dataFolder(folder.resolve("memory"))
                .build())) {
      assertThat(memory.adminPort()).isPositive();
      assertThat(run("backup", target, "--data", folder.resolve("memory"))).isEqualTo(1);
      assertThat(err.toString()).contains("no server runs on the data folder");
    }
  }

  private static LazuliServer start(Path folder) {
    return LazuliServer.start(config(folder).build());
  }

  private static ServerConfig.Builder config(Path folder) {
    return ServerConfig.builder().freePorts().dataFolder(folder);
  }

  /** Writes an entity, a message and a blob; the message replaces the one before. */
  private void write(String text) throws IOException {
    try (WireServer tables = WireServer.onTables(server);
        WireServer queues = WireServer.onQueues(server)) {
      tables.owner("POST", "/Tables", "{\"TableName\":\"tbl\"}", JSON);
      String entity = "/tbl(PartitionKey='p',RowKey='r')";
      assertThat(tables.owner("PUT", entity, "{\"Text\":\"" + text + "\"}", JSON).status())
          .isEqualTo(204);
      queues.owner("PUT", "/que", "");
      assertThat(queues.owner("DELETE", "/que/messages", "").status()).isEqualTo(204);
      String message = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
      assertThat(queues.owner("POST", "/que/messages", message).status()).isEqualTo(201);
    }
    blob("b", LARGE + text);
  }

  private void blob(String name, String content) throws IOException {
    try (WireServer blobs = WireServer.onBlobs(server)) {
      blobs.owner("PUT", "/con?restype=container", "");
      assertThat(blobs.owner("PUT", "/con/" + name, content, BLOB).status()).isEqualTo(201);
    }
  }

  private static List<String> read(LazuliServer from) throws IOException {
    try (WireServer tables = WireServer.onTables(from);
        WireServer queues = WireServer.onQueues(from);
        WireServer blobs = WireServer.onBlobs(from)) {
      String entity = tables.owner("GET", "/tbl(PartitionKey='p',RowKey='r')", "").body();
      String message = queues.owner("GET", "/que/messages?peekonly=true", "").body();
      return List.of(
          entity.replaceAll("(?s).*(\"Text\":\"\\d\").*", "$1"),
          message.replaceAll("(?s).*MessageText(>\\d<).*", "$1"),
          blobs.owner("GET", "/con/b", "").body());
    }
  }

  private List<Path> objects() throws IOException {
    try (Stream<Path> files = Files.walk(target.resolve("objects"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a field of the last line that was printed as JSON. */
  private long number(String field) {
    String[] lines = out.toString().strip().split("\n", -1);
    return Long.parseLong(
        lines[lines.length - 1].replaceAll(".*\"" + field + "\":\"(\\d+)\".*", "$1"));
  }

  private int run(Object... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] args = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    boolean named = Arrays.asList(args).contains("--data") || args[0].equals("account");
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
