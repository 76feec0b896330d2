package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.outbound.TestSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies from a second server and from a scripted one, both on loopback and listed. */
class ExternalCopyWireTest {
  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";

  private static final String EMPTY = "Content-Length: 0\r\n\r\n";

  private LazuliServer other;
  private WireServer otherBlobs;
  private TestSource source;
  private LazuliServer server;
  private WireServer blobs;

  @BeforeEach
  void start() throws IOException {
    other = LazuliServer.start(ServerConfig.builder().engine("memory").freePorts().build());
    otherBlobs = WireServer.onBlobs(other);
    assertThat(otherBlobs.owner("PUT", "/from?restype=container", "").status()).isEqualTo(201);
    source = new TestSource(TestSource.ofContent("hello world", "Content-Type: text/plain"));
    server = LazuliServer.start(config().engine("memory").build());
    blobs = WireServer.onBlobs(server);
    assertThat(blobs.owner("PUT", "/box?restype=container", "").status()).isEqualTo(201);
  }

  private ServerConfig.Builder config() {
    String list =
        "http://127.0.0.1:"
            + source.port()
            + ",http://localhost:"
            + other.blobPort()
            + ",a.invalid";
    return ServerConfig.builder()
        .copySources(Objects.requireNonNull(AllowedSources.parse(list)))
        .freePorts();
  }

  @AfterEach
  void stop() throws IOException {
    source.close();
    blobs.close();
    server.close();
    otherBlobs.close();
    other.close();
  }

  private Answer copy(String url, String... headers) {
    return on("/box/b", url, headers);
  }

  private Answer on(String path, String url, String... headers) {
    List<String> all = new ArrayList<>(Arrays.asList(headers));
    all.add("x-ms-copy-source: " + url);
    return blobs.owner("PUT", path, "", all.toArray(String[]::new));
  }

  /** Returns the properties of the copy when it is not pending any more. */
  private Answer ended(String path) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    Answer head = blobs.owner("HEAD", path, "");
    while ("pending".equals(head.header("x-ms-copy-status")) && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      head = blobs.owner("HEAD", path, "");
    }
    return head;
  }

  private String signed(String blob, String permissions) {
    String token = WireServer.blobToken("from/" + blob, "sr", "b", "sp", permissions);
    return "http://localhost:" + other.blobPort() + "/devstoreaccount1/from/" + blob + "?" + token;
  }

  private static void assertRefused(Answer answer, int status, String sourceStatus) {
    assertThat(answer.header("x-ms-error-code")).isEqualTo("CannotVerifyCopySource");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("x-ms-copy-source-status-code")).isEqualTo(sourceStatus);
  }

  @Test
  void aCopyFromAnotherServerIsPendingAndThenSucceeds() {
    String content = "0123456789".repeat(30_000);
    otherBlobs.owner(
        "PUT", "/from/a", content, BLOCK_BLOB, "x-ms-meta-a: 1", "x-ms-blob-content-language: de");
    Answer begun = copy(signed("a", "r"), "x-ms-tags: t=1");
    assertThat(begun.status()).isEqualTo(202);
    assertThat(begun.header("x-ms-copy-status")).isEqualTo("pending");
    Answer ended = ended("/box/b");
    assertThat(ended.header("x-ms-copy-status")).isEqualTo("success");
    assertThat(ended.header("x-ms-copy-id")).isEqualTo(begun.header("x-ms-copy-id"));
    assertThat(ended.header("x-ms-copy-progress")).isEqualTo("300000/300000");
    assertThat(ended.header("x-ms-copy-completion-time")).endsWith("GMT");
    assertThat(ended.header("x-ms-copy-source")).contains("sp=r").endsWith("sig=");
    assertThat(ended.header("x-ms-meta-a")).isEqualTo("1");
    assertThat(ended.header("x-ms-tag-count")).isEqualTo("1");
    assertThat(ended.header("Content-Language")).isEqualTo("de");
    assertThat(ended.header("ETag")).isNotEqualTo(begun.header("ETag"));
    assertThat(blobs.owner("GET", "/box/b", "").body()).isEqualTo(content);
  }

  @Test
  void synchronousFormsReadFromAnotherServer() {
    otherBlobs.owner("PUT", "/from/a", "hello world", BLOCK_BLOB, "x-ms-meta-a: 1");
    String url = signed("a", "r");
    Answer copied = copy(url, "x-ms-requires-sync: true");
    assertThat(copied.status()).isEqualTo(202);
    assertThat(copied.header("x-ms-copy-status")).isEqualTo("success");
    assertThat(copied.header("x-ms-content-crc64")).isEqualTo(BlobWire.HELLO_CRC64);
    assertThat(blobs.owner("HEAD", "/box/b", "").header("x-ms-copy-progress")).isEqualTo("11/11");
    Answer put = on("/box/c", url, BLOCK_BLOB);
    assertThat(put.status()).isEqualTo(201);
    Answer read = blobs.owner("GET", "/box/c", "");
    assertThat(read.body()).isEqualTo("hello world");
    assertThat(read.header("x-ms-meta-a")).isEqualTo("1");
    assertThat(read.header("x-ms-copy-id")).isNull();
    String block = "/box/d?comp=block&blockid=MDAx";
    assertThat(on(block, url, "x-ms-source-range: bytes=6-10").status()).isEqualTo(201);
    String list = BlobWire.HEAD + "<BlockList><Latest>MDAx</Latest></BlockList>";
    assertThat(blobs.owner("PUT", "/box/d?comp=blocklist", list).status()).isEqualTo(201);
    assertThat(blobs.owner("GET", "/box/d", "").body()).isEqualTo("world");
    blobs.owner("PUT", "/box/e", "", BlobWire.APPEND_BLOB);
    String append = "/box/e?comp=appendblock";
    assertThat(on(append, url, "x-ms-source-range: bytes=0-4").status()).isEqualTo(201);
    assertThat(blobs.owner("GET", "/box/e", "").body()).isEqualTo("hello");
    assertThat(on(append, url, "x-ms-source-range: bytes=99-100").status()).isEqualTo(416);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes 6-10/11,201",
    "bytes 6-10/*,201",
    "bytes 0-4/11,409",
    "bytes 6-9/11,409",
    "bytes 6-11/12,409",
    "items 6-10/11,409",
    "'',409",
  })
  void aSourceThatSendsAnotherRangeIsRefused(String range, int status) {
    source.script(
        TestSource.of(
            "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
                + (range.isEmpty() ? "" : "Content-Range: " + range + "\r\n")
                + "\r\nworld"));
    String block = "/box/d?comp=block&blockid=MDAx";
    Answer put = on(block, source.url("/x"), "x-ms-source-range: bytes=6-10");
    assertThat(put.status()).isEqualTo(status);
    if (status == 409) {
      assertRefused(put, 409, "206");
    }
  }

  @Test
  void ofAPageBlobOnlyPartsAreCopied() {
    String pageBlob = "x-ms-blob-type: PageBlob";
    String length = "x-ms-blob-content-length: 1024";
    String update = "x-ms-page-write: update";
    String page = "p".repeat(512);
    otherBlobs.owner("PUT", "/from/a", "", pageBlob, length);
    otherBlobs.owner("PUT", "/from/a?comp=page", page, update, "x-ms-range: bytes=512-1023");
    String url = signed("a", "r");
    assertRefused(copy(url), 409, "200");
    assertThat(blobs.owner("PUT", "/box/b", "", pageBlob, length).status()).isEqualTo(201);
    Answer put =
        on(
            "/box/b?comp=page",
            url,
            update,
            "x-ms-range: bytes=0-511",
            "x-ms-source-range: bytes=512-1023");
    assertThat(put.status()).isEqualTo(201);
    assertThat(blobs.owner("GET", "/box/b", "").body()).isEqualTo(page + "\0".repeat(512));
  }

  @Test
  void tagsOfAnotherServerAreNoCondition() {
    Answer refused = copy(source.url("/x"), "x-ms-source-if-tags: \"a\" = '1'");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("UnsupportedHeader");
    assertThat(source.heads()).isEmpty();
  }

  @Test
  void anAppendBlobStaysOne() {
    otherBlobs.owner("PUT", "/from/log", "", BlobWire.APPEND_BLOB);
    otherBlobs.owner("PUT", "/from/log?comp=appendblock", "one");
    assertThat(copy(signed("log", "r")).status()).isEqualTo(202);
    Answer ended = ended("/box/b");
    assertThat(ended.header("x-ms-blob-type")).isEqualTo("AppendBlob");
    assertThat(ended.header("x-ms-blob-committed-block-count")).isEqualTo("1");
    assertThat(blobs.owner("PUT", "/box/b?comp=appendblock", "two").status()).isEqualTo(201);
    assertThat(blobs.owner("GET", "/box/b", "").body()).isEqualTo("onetwo");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-ms-requires-sync: false", "x-ms-requires-sync: true", BLOCK_BLOB})
  void theAnswerOfTheSourceIsShownWithoutItsBody(String form) {
    otherBlobs.owner("PUT", "/from/a", "hello", BLOCK_BLOB);
    Answer unsigned = copy(signed("a", "w"), form);
    assertRefused(unsigned, 403, "403");
    assertThat(unsigned.header("x-ms-copy-source-error-code"))
        .isEqualTo("AuthorizationPermissionMismatch");
    assertRefused(copy(signed("none", "r"), form), 404, "404");
    source.script(TestSource.of("HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\nsecret"));
    Answer refused = copy(source.url("/x"), form);
    assertRefused(refused, 403, "403");
    assertThat(refused.body()).doesNotContain("secret");
    source.script(
        TestSource.of(
            "HTTP/1.1 302 Found\r\nLocation: http://localhost/\r\nContent-Length: 0\r\n\r\n"));
    assertRefused(copy(source.url("/x"), form), 409, "302");
    source.script(TestSource.of("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"));
    assertRefused(copy(source.url("/x"), form), 503, "503");
    source.script(TestSource.of("HTTP/1.1 200 OK\r\n\r\nuntil the end"));
    assertRefused(copy(source.url("/x"), form), 409, "200");
    assertThat(blobs.owner("HEAD", "/box/b", "").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:1/x,403",
    "http://elsewhere.example/x,403",
    "http://169.254.169.254/latest/meta-data,403",
    "https://a.invalid/x,500",
  })
  void hostsThatAreNotListedOrNotThere(String url, int status) {
    Answer refused = copy(url, "x-ms-requires-sync: true");
    assertThat(refused.header("x-ms-error-code")).isEqualTo("CannotVerifyCopySource");
    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.body().contains("copy-source")).isEqualTo(status == 403);
  }

  @Test
  void theOwnPortsAreNeverCalled() {
    blobs.owner("PUT", "/box/a", "hello", BLOCK_BLOB);
    String own = "http://127.0.0.1:" + server.blobPort() + "/devstoreaccount1/box/a";
    Answer copied = copy(own);
    assertThat(copied.status()).isEqualTo(202);
    assertThat(copied.header("x-ms-copy-status")).as("copied inside").isEqualTo("success");
    String tables = "http://127.0.0.1:" + server.tablePort() + "/devstoreaccount1/Tables";
    assertThat(copy(tables).status()).isEqualTo(404);
  }

  @Test
  void onlyTheCredentialsForTheSourceArePassedOn() {
    String bearer = "x-ms-copy-source-authorization: Bearer abc";
    Answer copied =
        copy(source.url("/x?y=1"), "x-ms-requires-sync: true", bearer, "x-ms-meta-a: 1");
    assertThat(copied.status()).isEqualTo(202);
    assertThat(source.heads().get(0))
        .startsWith("GET /x?y=1 HTTP/1.1\r\n")
        .containsIgnoringCase("Authorization: Bearer abc\r\n")
        .doesNotContain("SharedKey")
        .doesNotContainIgnoringCase("x-ms-meta")
        .doesNotContainIgnoringCase("x-ms-copy-source");
    Answer refused = copy(source.url("/x"), bearer);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("UnsupportedHeader");
  }

  @Test
  void conditionsArePassedOnAndTheirFailuresHaveNames() {
    otherBlobs.owner("PUT", "/from/a", "hello", BLOCK_BLOB);
    String wrong = "x-ms-source-if-match: \"0x1\"";
    Answer pending = copy(signed("a", "r"), wrong);
    assertThat(pending.status()).isEqualTo(412);
    assertThat(pending.header("x-ms-error-code")).isEqualTo("SourceConditionNotMet");
    assertRefused(copy(signed("a", "r"), wrong, "x-ms-requires-sync: true"), 412, "412");
  }

  /** The source hangs after the first bytes, until a test lets it go on. */
  private CountDownLatch hanging(String content) {
    CountDownLatch release = new CountDownLatch(1);
    source.script(
        (head, out) -> {
          String length = "Content-Length: " + content.length() + "\r\n\r\n";
          TestSource.of("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n" + length + content.charAt(0))
              .answer(head, out);
          out.flush();
          release.await();
          TestSource.of(content.substring(1)).answer(head, out);
        });
    return release;
  }

  @Test
  void aPendingCopyBlocksOtherWrites() {
    CountDownLatch release = hanging("hello world");
    assertThat(copy(source.url("/x"), "x-ms-meta-a: 1").header("x-ms-copy-status"))
        .isEqualTo("pending");
    Answer head = blobs.owner("HEAD", "/box/b", "");
    assertThat(head.header("Content-Length")).isEqualTo("11");
    assertThat(head.header("x-ms-copy-progress")).isEqualTo("0/11");
    assertThat(head.header("x-ms-copy-completion-time")).isNull();
    assertThat(blobs.owner("GET", "/box?restype=container&comp=list&include=copy", "").body())
        .contains("<Content-Length>11</Content-Length>")
        .contains("<CopyStatus>pending</CopyStatus><CopyProgress>0/11</CopyProgress>")
        .doesNotContain("CopyCompletionTime");
    List<Answer> refused =
        List.of(
            blobs.owner("PUT", "/box/b", "x", BLOCK_BLOB),
            blobs.owner("PUT", "/box/b?comp=block&blockid=MDAx", "x"),
            blobs.owner("PUT", "/box/b?comp=blocklist", BlobWire.HEAD + "<BlockList/>"),
            blobs.owner("PUT", "/box/b?comp=metadata", "", "x-ms-meta-b: 1"),
            blobs.owner("PUT", "/box/b?comp=snapshot", ""),
            blobs.owner("PUT", "/box/b?comp=tier", "", "x-ms-access-tier: Cool"),
            blobs.owner("DELETE", "/box/b", ""),
            blobs.owner("GET", "/box/b", ""),
            copy(source.url("/x")));
    for (Answer answer : refused) {
      assertThat(answer.status()).isEqualTo(409);
      assertThat(answer.header("x-ms-error-code")).isEqualTo("PendingCopyOperation");
    }
    String acquire = "x-ms-lease-action: acquire";
    assertThat(
            blobs
                .owner("PUT", "/box/b?comp=lease", "", acquire, "x-ms-lease-duration: -1")
                .status())
        .isEqualTo(201);
    release.countDown();
    assertThat(ended("/box/b").header("x-ms-copy-status")).isEqualTo("success");
    assertThat(blobs.owner("GET", "/box/b", "").body()).isEqualTo("hello world");
  }

  @Test
  void aPendingCopyIsAborted() {
    CountDownLatch release = hanging("hello world");
    String id = copy(source.url("/x"), "x-ms-meta-a: 1").header("x-ms-copy-id");
    String abort = "/box/b?comp=copy&copyid=";
    String action = "x-ms-copy-action: abort";
    Answer other = blobs.owner("PUT", abort + "00000000-0000-0000-0000-000000000001", "", action);
    assertThat(other.header("x-ms-error-code")).isEqualTo("CopyIdMismatch");
    assertThat(blobs.owner("PUT", abort + id, "", action).status()).isEqualTo(204);
    Answer aborted = blobs.owner("HEAD", "/box/b", "");
    assertThat(aborted.header("x-ms-copy-status")).isEqualTo("aborted");
    assertThat(aborted.header("x-ms-copy-completion-time")).endsWith("GMT");
    assertThat(aborted.header("Content-Length")).isEqualTo("0");
    assertThat(aborted.header("x-ms-meta-a")).isEqualTo("1");
    Answer again = blobs.owner("PUT", abort + id, "", action);
    assertThat(again.header("x-ms-error-code")).isEqualTo("NoPendingCopyOperation");
    release.countDown();
    assertThat(blobs.owner("PUT", "/box/b", "new", BLOCK_BLOB).status()).isEqualTo(201);
    assertThat(blobs.owner("GET", "/box/b", "").body()).isEqualTo("new");
  }

  @Test
  void aSourceThatChangesLetsTheCopyFail() {
    source.script(
        (head, out) ->
            (head.toLowerCase(Locale.ROOT).contains("if-match: \"1\"")
                    ? TestSource.of(
                        "HTTP/1.1 412 No\r\nx-ms-error-code: ConditionNotMet\r\n" + EMPTY)
                    : TestSource.ofContent("hello"))
                .answer(head, out));
    assertThat(copy(source.url("/x")).status()).isEqualTo(202);
    Answer failed = ended("/box/b");
    assertThat(failed.header("x-ms-copy-status")).isEqualTo("failed");
    assertThat(failed.header("x-ms-copy-status-description"))
        .isEqualTo("412 ConditionNotMet \"Copy failed when reading the source.\"");
    assertThat(failed.header("Content-Length")).isEqualTo("0");
    assertThat(blobs.owner("GET", "/box?restype=container&comp=list&include=copy", "").body())
        .contains("<CopyStatusDescription>412 ConditionNotMet");
    assertThat(blobs.owner("PUT", "/box/b?comp=metadata", "", "x-ms-meta-b: 1").status())
        .isEqualTo(200);
    assertThat(blobs.owner("HEAD", "/box/b", "").header("x-ms-copy-status-description")).isNull();
  }

  @Test
  void aPendingCopyGoesOnAfterARestart(@TempDir Path folder) throws IOException {
    blobs.close();
    server.close();
    server = LazuliServer.start(config().dataFolder(folder).build());
    blobs = WireServer.onBlobs(server);
    blobs.owner("PUT", "/box?restype=container", "");
    CountDownLatch release = hanging("hello world");
    Answer begun = copy(source.url("/x"));
    assertThat(begun.header("x-ms-copy-status")).isEqualTo("pending");
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (source.heads().size() < 2 && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    assertThat(source.heads()).as("the source is being read").hasSize(2);
    blobs.close();
    server.close();
    source.script(TestSource.ofContent("hello world"));
    release.countDown();
    server = LazuliServer.start(config().dataFolder(folder).build());
    blobs = WireServer.onBlobs(server);
    Answer ended = ended("/box/b");
    assertThat(ended.header("x-ms-copy-status")).isEqualTo("success");
    assertThat(ended.header("x-ms-copy-id")).isEqualTo(begun.header("x-ms-copy-id"));
    assertThat(blobs.owner("GET", "/box/b", "").body()).isEqualTo("hello world");
  }
}
