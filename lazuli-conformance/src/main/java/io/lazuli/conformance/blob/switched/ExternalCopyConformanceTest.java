package io.lazuli.conformance.blob.switched;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies from another server: one that the operator listed, and one that nobody listed. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class ExternalCopyConformanceTest {

  private static final int LENGTH = 300_000;

  /** The connections that wait with half of their content. */
  private static final Queue<Socket> WAITING = new ConcurrentLinkedQueue<>();

  private static ServerProcess listed;
  private static ServerProcess server;

  /** Answers with content and closes the connection, or sends half of it and waits. */
  private static ServerSocket other;

  private static volatile boolean hangs;

  private ScratchContainer from;
  private ScratchContainer to;

  @BeforeAll
  static void start() throws IOException {
    listed = ServerProcess.startEmpty(AccountUnderTest.serverJar());
    other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread answers = new Thread(ExternalCopyConformanceTest::answer, "other-server");
    answers.setDaemon(true);
    answers.start();
    String source = listed.account(StorageService.BLOB).base();
    server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(),
            ServerProcess.temporaryFolder(),
            "--copy-source",
            source.substring(0, source.lastIndexOf('/')) + "," + address());
  }

  private static String address() {
    return "http://127.0.0.1:" + other.getLocalPort();
  }

  private static void answer() {
    while (!other.isClosed()) {
      try {
        Socket socket = other.accept();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          head.append((char) socket.getInputStream().read());
        }
        String answer = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: " + LENGTH + "\r\n\r\n";
        int sent = hangs ? LENGTH / 2 : LENGTH;
        byte[] bytes = (answer + "x".repeat(sent)).getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(bytes);
        if (hangs) {
          WAITING.add(socket);
        } else {
          socket.close();
        }
      } catch (IOException e) {
        // The server under test ended the connection, or the test is over.
      }
    }
  }

  @AfterAll
  static void kill() throws IOException {
    other.close();
    for (Socket socket : WAITING) {
      socket.close();
    }
    server.close();
    listed.close();
  }

  @BeforeEach
  void createContainers() {
    from = container(listed);
    to = container(server);
  }

  private static ScratchContainer container(ServerProcess of) {
    WireClient wire = new WireClient(of.account(StorageService.BLOB));
    return new ScratchContainer(wire, ScratchContainer.freshName()).created();
  }

  private static String readable(ScratchContainer container, String blob) {
    return container.url(blob) + "?" + container.access(blob, "r").token();
  }

  @Test
  @Documented("blob-features 5.2, 5.5: pending, then success")
  void aCopyFromAListedServerEnds() {
    expect(from.put("a", "hello world").header("x-ms-meta-a", "1").send()).status(201);
    WireAnswer begun = to.copy("b", readable(from, "a")).send();
    expect(begun).status(202).header("x-ms-copy-status", "pending").hasHeader("x-ms-copy-id");
    Waiting.until(() -> !to.property("b", "x-ms-copy-status").equals("pending"));
    expect(to.head("b").send())
        .header("x-ms-copy-status", "success")
        .header("x-ms-copy-progress", "11/11")
        .header("x-ms-meta-a", "1")
        .hasHeader("x-ms-copy-completion-time");
    assertThat(to.content("b")).isEqualTo("hello world");
    assertThat(to.property("b", "x-ms-copy-source"))
        .doesNotContain(from.access("a", "r").signature());
    refused(
        to.on("PUT", "b", "comp=copy&copyid=" + begun.header("x-ms-copy-id").orElse(""))
            .header("x-ms-copy-action", "abort")
            .send(),
        409,
        "NoPendingCopyOperation");
  }

  @Test
  @Documented("blob-features 5.5: a source that closes its connection after the content")
  void aSourceMayCloseItsConnection() {
    for (int i = 0; i < 5; i++) {
      expect(to.copy("b" + i, address() + "/b").header("x-ms-requires-sync", "true").send())
          .status(202)
          .header("x-ms-copy-status", "success");
      assertThat(to.content("b" + i)).hasSize(LENGTH);
    }
  }

  @Test
  @Documented("blob-features 5.2: what is refused while a copy is pending, and its abortion")
  void aPendingCopyIsAborted() {
    hangs = true;
    try {
      WireAnswer begun = to.copy("b", address() + "/b").header("x-ms-meta-a", "1").send();
      expect(begun).status(202).header("x-ms-copy-status", "pending");
      expect(to.head("b").send())
          .header("x-ms-copy-status", "pending")
          .header("Content-Length", Integer.toString(LENGTH))
          .lacksHeader("x-ms-copy-completion-time");
      refused(to.get("b").send(), 409, "PendingCopyOperation");
      refused(to.put("b", "x").send(), 409, "PendingCopyOperation");
      refused(to.block("b", "1", "x").send(), 409, "PendingCopyOperation");
      refused(to.copy("b", address() + "/b").send(), 409, "PendingCopyOperation");
      String id = begun.header("x-ms-copy-id").orElse("");
      refused(abort("11111111-aaaa-4aaa-8aaa-111111111111"), 409, "CopyIdMismatch");
      expect(abort(id)).status(204);
      expect(to.head("b").send())
          .header("x-ms-copy-status", "aborted")
          .header("Content-Length", "0")
          .header("x-ms-meta-a", "1")
          .hasHeader("x-ms-copy-completion-time");
      refused(abort(id), 409, "NoPendingCopyOperation");
      expect(to.put("b", "x").send()).status(201);
    } finally {
      hangs = false;
    }
  }

  private WireAnswer abort(String id) {
    return to.on("PUT", "b", "comp=copy&copyid=" + id).header("x-ms-copy-action", "abort").send();
  }

  @Test
  @Documented("blob-features 5.1, 5.5: the forms that answer when they are done")
  void synchronousFormsReadFromAListedServer() {
    from.stored("a", "hello world");
    String source = readable(from, "a");
    expect(to.copy("b", source).header("x-ms-requires-sync", "true").send())
        .status(202)
        .header("x-ms-copy-status", "success");
    assertThat(to.content("b")).isEqualTo("hello world");
    expect(to.copy("c", source).header("x-ms-blob-type", "BlockBlob").send())
        .status(201)
        .lacksHeader("x-ms-copy-id");
    assertThat(to.content("c")).isEqualTo("hello world");
    to.storedLog("log");
    expect(
            to.on("PUT", "log", "comp=appendblock")
                .header("x-ms-copy-source", source)
                .header("x-ms-source-range", "bytes=6-10")
                .send())
        .status(201);
    assertThat(to.content("log")).isEqualTo("world");
  }

  @Test
  @Documented("blob-features 5.4: the answer of the source")
  void theSourceIsQuoted() {
    from.stored("a", "hello");
    expect(to.copy("b", from.url("a") + "?" + from.access("a", "w").token()).send())
        .error(403, "CannotVerifyCopySource")
        .header("x-ms-copy-source-status-code", "403")
        .header("x-ms-copy-source-error-code", "AuthorizationPermissionMismatch");
    expect(to.copy("b", readable(from, "none")).send())
        .error(404, "CannotVerifyCopySource")
        .header("x-ms-copy-source-status-code", "404");
    refused(to.get("b").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-features 5.5: a server that is not listed is not called")
  void onlyListedServersAreCalled() {
    to.stored("a", "hello");
    WireAnswer answer = from.copy("b", readable(to, "a")).send();
    expect(answer)
        .error(403, "CannotVerifyCopySource")
        .header("x-ms-copy-source-status-code", "403");
    assertThat(answer.text()).contains("copy-source");
    refused(from.get("b").send(), 404, "BlobNotFound");
  }
}
