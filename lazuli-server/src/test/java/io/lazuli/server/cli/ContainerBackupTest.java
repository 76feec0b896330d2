package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.config.ServerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Backs up a server into a container of another one, with a key and with a signature. */
class ContainerBackupTest {
  private static final String BLOB = "x-ms-blob-type: BlockBlob";

  @TempDir private Path folder;
  private LazuliServer server;
  private LazuliServer other;
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter text = new StringWriter();

  @BeforeEach
  void start() {
    server =
        LazuliServer.start(
            ServerConfig.builder().freePorts().dataFolder(folder.resolve("data")).build());
    other = LazuliServer.start(ServerConfig.builder().freePorts().engine("memory").build());
  }

  @AfterEach
  void stop() {
    server.close();
    other.close();
  }

  @Test
  void backupsGoToAContainerAndComeBack() throws IOException {
    String large = content(20_000_000);
    String target = other.connectionString() + "Container=backups";
    blob("/con/large", large);
    assertThat(run("backup", target, "--rate", "0")).as(text.toString()).isZero();
    blob("/con/small", "text");
    assertThat(run("backup", target, "--json")).as(text.toString()).isZero();
    assertThat(text.toString()).doesNotContain("AccountKey").contains("\"state\":\"done\"");
    assertThat(run("backup", target, "--list")).isZero();
    assertThat(text.toString()).hasLineCount(2);
    assertThat(run("backup", target, "--prune", "--keep", "1")).isZero();
    assertThat(run("backup", target, "--verify", "--rate", "0")).as(text.toString()).isZero();
    server.close();
    Path restored = folder.resolve("restored");
    assertThat(run("restore", target, "--data", restored)).as(text.toString()).isZero();
    server = LazuliServer.start(ServerConfig.builder().freePorts().dataFolder(restored).build());
    try (WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/con/large", "").body().equals(large)).isTrue();
      assertThat(blobs.owner("GET", "/con/small", "").body()).isEqualTo("text");
    }
  }

  @Test
  void anArchiveInAContainerHasEveryMoment() throws IOException {
    server.close();
    String target = other.connectionString() + "Container=archive";
    server = startArchiving(target);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> run("backup", target, "--list") == 0 && text.toString().contains("any moment"));
    String content = content(200_000);
    blob("/con/b", content);
    Instant written = Instant.now();
    try (WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("DELETE", "/con/b", "").status()).isEqualTo(202);
    }
    server.close();
    server = startArchiving(target);
    blob("/con/b", "later");
    server.close();
    assertThat(run("backup", target, "--prune", "--keep", "1")).as(text.toString()).isZero();
    assertThat(run("backup", target, "--verify", "--rate", "0")).as(text.toString()).isZero();
    Path restored = folder.resolve("restored");
    assertThat(run("restore", target, "--at", written, "--data", restored))
        .as(text.toString())
        .isZero();
    server = LazuliServer.start(ServerConfig.builder().freePorts().dataFolder(restored).build());
    try (WireServer blobs = WireServer.onBlobs(server)) {
      assertThat(blobs.owner("GET", "/con/b", "").body()).isEqualTo(content);
    }
  }

  private LazuliServer startArchiving(String target) {
    return LazuliServer.start(
        ServerConfig.builder()
            .freePorts()
            .dataFolder(folder.resolve("data"))
            .backup(plan -> plan.withTarget(target).withArchive(true).withRateMib(0))
            .build());
  }

  @Test
  void aSignatureForTheContainerIsEnough() throws IOException {
    blob("/con/b", content(100_000));
    try (WireServer blobs = WireServer.onBlobs(other)) {
      assertThat(blobs.owner("PUT", "/signed?restype=container", "").status()).isEqualTo(201);
    }
    String signature = WireServer.blobToken("signed", "sr", "c", "sp", "racwdl");
    String target = other.blobEndpoint() + "/signed?" + signature;
    environment.put("BACKUPS", target);
    assertThat(run("backup", "env:BACKUPS")).as(text.toString()).isZero();
    assertThat(run("backup", "env:BACKUPS", "--verify")).as(text.toString()).isZero();
    assertThat(text.toString()).doesNotContain("sig=");
    assertThat(run("backup", other.blobEndpoint() + "/signed")).isEqualTo(1);
    String wrong = other.blobEndpoint() + "/signed?" + signature.replace("sp=racwdl", "sp=r");
    assertThat(run("backup", wrong)).isEqualTo(1);
    assertThat(text.toString()).contains("403").doesNotContain("sig=");
  }

  @Test
  void aContainerWithOtherBlobsIsRefused() throws IOException {
    try (WireServer blobs = WireServer.onBlobs(other)) {
      assertThat(blobs.owner("PUT", "/full?restype=container", "").status()).isEqualTo(201);
      assertThat(blobs.owner("PUT", "/full/letter", "text", BLOB).status()).isEqualTo(201);
    }
    assertThat(run("backup", other.connectionString() + "Container=full")).isEqualTo(1);
    assertThat(text.toString()).contains("is not empty and holds no backups");
    assertThat(run("backup", other.connectionString())).isEqualTo(1);
    assertThat(text.toString()).contains("has no Container").doesNotContain("AccountKey=");
  }

  private static String content(int length) {
    Random random = new Random(7);
    char[] letters = new char[length];
    for (int i = 0; i < length; i++) {
      letters[i] = (char) ('a' + random.nextInt(26));
    }
    return String.valueOf(letters);
  }

  private void blob(String path, String content) throws IOException {
    try (WireServer blobs = WireServer.onBlobs(server)) {
      blobs.owner("PUT", "/con?restype=container", "");
      assertThat(blobs.owner("PUT", path, content, BLOB).status()).isEqualTo(201);
    }
  }

  private int run(Object... words) {
    text.getBuffer().setLength(0);
    String[] args = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    boolean named = Arrays.asList(args).contains("--data");
    String[] all = Arrays.copyOf(args, args.length + (named ? 0 : 2));
    if (!named) {
      all[args.length] = "--data";
      all[args.length + 1] = folder.resolve("data").toString();
    }
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), environment), environment);
    commandLine.setOut(new PrintWriter(text, true)).setErr(new PrintWriter(text, true));
    return commandLine.execute(all);
  }
}
