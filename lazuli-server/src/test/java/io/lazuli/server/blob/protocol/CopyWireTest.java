package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Content that comes from another blob (blob-rest 10.8, 10.9 and 12.3). */
class CopyWireTest extends BlobWire {
  @Test
  void aCopyIsDoneWhenItIsAnswered() {
    put(blob, "hello world", "x-ms-meta-a: 1", "x-ms-blob-content-type: text/plain");
    String url = "http://localhost/devstoreaccount1" + blob;
    String copy = container + "/copy";
    Answer copied = server.owner("PUT", copy, "", "x-ms-copy-source: " + url);
    assertThat(copied.status()).isEqualTo(202);
    assertThat(copied.header("x-ms-copy-status")).isEqualTo("success");
    assertThat(copied.header("x-ms-content-crc64")).isNull();
    Answer read = server.owner("HEAD", copy, "");
    assertThat(read.header("x-ms-copy-id")).isEqualTo(copied.header("x-ms-copy-id"));
    assertThat(read.header("x-ms-copy-source")).isEqualTo(url);
    assertThat(read.header("x-ms-copy-status")).isEqualTo("success");
    assertThat(read.header("x-ms-copy-progress")).isEqualTo("11/11");
    assertThat(read.header("x-ms-copy-completion-time")).endsWith("GMT");
    assertThat(read.header("x-ms-meta-a")).isEqualTo("1");
    assertThat(read.header("Content-Type")).isEqualTo("text/plain");
    assertThat(server.owner("GET", copy, "").body()).isEqualTo("hello world");
    assertThat(server.owner("GET", list("&include=copy&prefix=copy"), "").body())
        .contains("<CopyStatus>success</CopyStatus><CopyProgress>11/11</CopyProgress>");
    Answer sync =
        server.owner("PUT", copy, "", "x-ms-copy-source: " + url, "x-ms-requires-sync: True");
    assertThat(sync.status()).isEqualTo(202);
    assertThat(sync.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(sync.header("x-ms-content-crc64")).isEqualTo(HELLO_CRC64);
    Answer abort =
        server.owner(
            "PUT",
            copy + "?comp=copy&copyid=" + copied.header("x-ms-copy-id"),
            "",
            "x-ms-copy-action: abort");
    assertRefused(abort, 409, "NoPendingCopyOperation");
    assertRefused(
        server.owner("PUT", copy + "?comp=copy&copyid=1", "", "x-ms-copy-action: abort"),
        400,
        "InvalidQueryParameterValue");
  }

  @ParameterizedTest
  @CsvSource({
    "http://elsewhere.example/devstoreaccount1/c/b,403,CannotVerifyCopySource",
    "http://169.254.169.254/latest,403,CannotVerifyCopySource",
    "http://localhost/devstoreaccount1/none/none,404,CannotVerifyCopySource",
    "ftp://localhost/devstoreaccount1/c/b,400,InvalidHeaderValue",
    "http://localhost/devstoreaccount1/c/b?sig=%zz,400,InvalidHeaderValue",
    "http://localhost/nobody/abc/b,401,CannotVerifyCopySource",
  })
  void sourcesThatCannotBeReadAreRefused(String url, int status, String code) {
    assertRefused(server.owner("PUT", blob, "", "x-ms-copy-source: " + url), status, code);
  }

  @Test
  void aSourceIsNamedInEitherStyle() {
    put(blob, "hello world");
    for (String host : List.of("localhost/devstoreaccount1", "devstoreaccount1.blob.localhost")) {
      String url = "x-ms-copy-source: http://" + host + blob;
      assertThat(server.owner("PUT", container + "/copy", "", url).status()).isEqualTo(202);
    }
  }

  @Test
  void aCopyHasConditionsOnBothSides() {
    put(blob, "x");
    put(container + "/copy", "y");
    String url = "x-ms-copy-source: http://localhost/devstoreaccount1" + blob;
    assertRefused(
        server.owner("PUT", container + "/copy", "", url, "x-ms-source-if-match: \"0x1\""),
        412,
        "SourceConditionNotMet");
    assertRefused(
        server.owner("PUT", container + "/copy", "", url, "If-Match: \"0x1\""),
        412,
        "TargetConditionNotMet");
  }

  @Test
  void contentComesFromUrlsOfThisServer() {
    put(blob, "hello world", "x-ms-blob-content-type: text/plain");
    String url = "x-ms-copy-source: http://127.0.0.1/devstoreaccount1" + blob;
    String from = url.replace("127.0.0.1", "localhost");
    Answer put = server.owner("PUT", container + "/put", "", from, BLOCK_BLOB, "If-None-Match: *");
    assertThat(put.status()).isEqualTo(201);
    assertThat(put.header("Content-MD5")).isNull();
    assertThat(put.header("x-ms-content-crc64")).isEqualTo(HELLO_CRC64);
    Answer read = server.owner("GET", container + "/put", "");
    assertThat(read.body()).isEqualTo("hello world");
    assertThat(read.header("Content-Type")).isEqualTo("text/plain");
    assertThat(read.header("x-ms-copy-id")).isNull();
    assertThat(read.header("Content-MD5")).isEqualTo(HELLO_MD5);
    Answer block =
        server.owner(
            "PUT",
            container + "/blocks?comp=block&blockid=MDAx",
            "",
            url,
            "x-ms-source-range: bytes=6-10");
    assertThat(block.status()).isEqualTo(201);
    assertThat(commit(container + "/blocks", "<Latest>MDAx</Latest>").status()).isEqualTo(201);
    assertThat(server.owner("GET", container + "/blocks", "").body()).isEqualTo("world");
    server.owner("PUT", container + "/log", "", APPEND_BLOB);
    Answer append =
        server.owner(
            "PUT", container + "/log?comp=appendblock", "", from, "x-ms-source-range: bytes=0-4");
    assertThat(append.header("x-ms-blob-append-offset")).isEqualTo("0");
    assertThat(server.owner("GET", container + "/log", "").body()).isEqualTo("hello");
  }

  @Test
  void theSizeLimitOfABodyHoldsForASourceUrl() {
    String mebibyte = "x".repeat(1 << 20);
    server.owner("PUT", blob + "?comp=block&blockid=MDAx", mebibyte);
    commit(blob, "<Latest>MDAx</Latest>".repeat(101));
    server.owner("PUT", container + "/log", "", APPEND_BLOB);
    String url = "x-ms-copy-source: http://localhost/devstoreaccount1" + blob;
    String append = container + "/log?comp=appendblock";
    Answer refused = server.owner("PUT", append, "", url);
    assertRefused(refused, 413, "RequestBodyTooLarge");
    assertThat(refused.body()).contains("<MaxLimit>104857600</MaxLimit>");
    Answer part = server.owner("PUT", append, "", url, "x-ms-source-range: bytes=0-0");
    assertThat(part.header("x-ms-blob-append-offset")).isEqualTo("0");
  }

  @Test
  void contentComesFromAUrlOrFromTheBody() {
    put(blob, "hello world");
    String url = "x-ms-copy-source: http://localhost/devstoreaccount1" + blob;
    server.owner("PUT", container + "/log", "", APPEND_BLOB);
    List<Answer> answers =
        List.of(
            put(container + "/put", "body", url),
            server.owner("PUT", container + "/put?comp=block&blockid=MDAx", "body", url),
            server.owner("PUT", container + "/log?comp=appendblock", "body", url));
    for (Answer answer : answers) {
      assertRefused(answer, 400, "InvalidHeaderValue");
      assertThat(answer.body()).contains("<HeaderName>Content-Length</HeaderName>");
    }
  }
}
