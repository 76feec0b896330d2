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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies from another server: one that the operator listed, and one that nobody listed. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class ExternalCopyConformanceTest {

  private static ServerProcess listed;
  private static ServerProcess server;

  private ScratchContainer from;
  private ScratchContainer to;

  @BeforeAll
  static void start() {
    listed = ServerProcess.startEmpty(AccountUnderTest.serverJar());
    String source = listed.account(StorageService.BLOB).base();
    server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(),
            ServerProcess.temporaryFolder(),
            "--copy-source",
            source.substring(0, source.lastIndexOf('/')));
  }

  @AfterAll
  static void kill() {
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
