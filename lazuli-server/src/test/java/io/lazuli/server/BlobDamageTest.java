package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A bit of a chunk flips after the blob was read once. Its bytes are never sent, neither to a
 * client nor into another blob, and the operator learns of it.
 */
class BlobDamageTest {
  private static final int MIB = 1 << 20;
  private static final byte[] CONTENT = content(3 * MIB + 7);

  @TempDir private Path folder;

  private final WireServer.Signer signer = new WireServer.Signer(false);
  private LazuliServer server;
  private RawConnection connection;
  private WatchedLog log;

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(7).nextBytes(content);
    return content;
  }

  @BeforeEach
  void putAndGet() throws IOException {
    server =
        LazuliServer.start(
            ServerConfig.builder()
                .dataFolder(folder)
                .durability(Durability.RELAXED)
                .freePorts()
                .build());
    log = new WatchedLog();
    connect();
    ask("PUT", "/docs?restype=container", "Content-Length: 0");
    connection.send(
        head("PUT", "/docs/b", "x-ms-blob-type: BlockBlob", "Content-Length: " + CONTENT.length));
    assertThat(connection.send(CONTENT).answer().status()).isEqualTo(201);
    connection.send(head("GET", "/docs/b")).answerWithoutBody();
    assertThat(connection.bytes(CONTENT.length)).isEqualTo(CONTENT);
    assertThat(health()).contains("\"ok\"");
  }

  @AfterEach
  void stop() throws IOException {
    log.close();
    connection.close();
    server.close();
  }

  @Test
  void damageInTheFirstBlockIsAnErrorWithACode() throws IOException {
    flip(MIB - 1);
    for (String range : new String[] {"0-99", "1000-70000", "5-2000000", "0-3000000"}) {
      assertInternalError(ask("GET", "/docs/b", "x-ms-range: bytes=" + range));
    }
    assertInternalError(ask("GET", "/docs/b"));
    assertInternalError(
        ask("GET", "/docs/b", "x-ms-range: bytes=100-300", "x-ms-range-get-content-md5: true"));
    assertThat(line()).contains("chunk 4", "/chunks/0000/000/4", "offset 0");
    connection.send(head("GET", "/docs/b", "x-ms-range: bytes=" + MIB + "-")).answerWithoutBody();
    assertThat(connection.bytes(CONTENT.length - MIB))
        .isEqualTo(Arrays.copyOfRange(CONTENT, MIB, CONTENT.length));
  }

  @Test
  void laterDamageCutsTheConnectionBeforeTheBadBlock() throws IOException {
    flip(3 * MIB - 1);
    Answer head = connection.send(head("GET", "/docs/b")).answerWithoutBody();
    assertThat(head.status()).isEqualTo(200);
    byte[] sent = connection.bytes(CONTENT.length);
    assertThat(sent.length).isLessThanOrEqualTo(2 * MIB);
    assertThat(sent).isEqualTo(Arrays.copyOf(CONTENT, sent.length));
    assertThat(line()).contains("offset " + 2 * MIB);
  }

  @Test
  void damageIsNotCopied() throws IOException {
    flip(2 * MIB + 1);
    String source = "x-ms-copy-source: http://localhost/devstoreaccount1/docs/b";
    String none = "Content-Length: 0";
    assertInternalError(ask("PUT", "/docs/copy", source, none));
    assertInternalError(ask("PUT", "/docs/copy", source, none, "x-ms-requires-sync: true"));
    assertInternalError(ask("PUT", "/docs/copy", source, none, "x-ms-blob-type: BlockBlob"));
    assertInternalError(ask("PUT", "/docs/copy?comp=block&blockid=MDAx", source, none));
    ask("PUT", "/docs/log", "x-ms-blob-type: AppendBlob", none);
    assertInternalError(ask("PUT", "/docs/log?comp=appendblock", source, none));
    assertThat(ask("GET", "/docs/copy").status()).isEqualTo(404);
    assertThat(ask("GET", "/docs/log").header("Content-Length")).isEqualTo("0");
  }

  @Test
  void healthShowsDamageUntilTheBlobIsReplaced() throws IOException {
    flip(17);
    assertInternalError(ask("GET", "/docs/b"));
    assertThat(health()).contains("\"degraded\"", "damaged chunks", "/chunks/0000/000/4");
    connection.send(head("PUT", "/docs/b", "x-ms-blob-type: BlockBlob", "Content-Length: 3"));
    assertThat(connection.send("new").answer().status()).isEqualTo(201);
    await().until(() -> health().contains("\"ok\""));
    assertThat(ask("GET", "/docs/b").body()).isEqualTo("new");
  }

  @Test
  void aChunkThatIsGoneIsAnErrorWithACode() throws IOException {
    Files.delete(chunk());
    assertInternalError(ask("GET", "/docs/b"));
    assertThat(health()).contains("has lost its file");
  }

  private void connect() throws IOException {
    if (connection != null) {
      connection.close();
    }
    connection = new RawConnection(server.blobPort());
  }

  private String head(String method, String path, String... headers) {
    StringBuilder head = new StringBuilder(method).append(" /devstoreaccount1").append(path);
    head.append(" HTTP/1.1\r\nHost: localhost\r\n").append(signer.lines(method, path, headers));
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  private Answer ask(String method, String path, String... headers) throws IOException {
    return connection.send(head(method, path, headers)).answer();
  }

  private String health() throws IOException {
    try (RawConnection admin = new RawConnection(server.adminPort())) {
      return admin.ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").body();
    }
  }

  /** Returns the log line about the damage. There is at most one in a second. */
  private String line() {
    await()
        .until(
            () -> {
              connect();
              ask("GET", "/docs/b");
              return !log.faults().isEmpty();
            });
    return log.faults().get(0);
  }

  private static void assertInternalError(Answer answer) {
    assertThat(answer.header("x-ms-error-code")).isEqualTo("InternalError");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).contains("<Code>InternalError</Code>").doesNotContain("chunk");
  }

  private void flip(long at) throws IOException {
    try (FileChannel channel =
        FileChannel.open(chunk(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ 0x20));
      channel.write(one.flip(), at);
    }
  }

  private Path chunk() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("chunks"))) {
      return files
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }
}
