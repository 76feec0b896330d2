package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Version;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writing and reading whole blobs and ranges, with checksums (blob-rest 6, 10.1 to 10.3). */
class PutAndGetWireTest extends BlobWire {
  @Test
  void anUploadThatMustNotOverwriteWorksOnce() {
    Answer first =
        put(
            blob,
            "hello world",
            "x-ms-blob-content-type: text/plain",
            "x-ms-meta-owner: ann",
            "If-None-Match: *");
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("ETag")).matches("\"0x[0-9A-F]+\"");
    assertThat(first.header("Last-Modified")).endsWith("GMT");
    assertThat(first.header("Content-MD5")).isEqualTo(HELLO_MD5);
    assertThat(first.header("x-ms-content-crc64")).isEqualTo(HELLO_CRC64);
    assertThat(first.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(first.header("Content-Length")).isEqualTo("0");
    assertRefused(put(blob, "again", "If-None-Match: *"), 409, "BlobAlreadyExists");
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("hello world");
  }

  @Test
  void aReadHasEveryHeaderOfTheBlob() {
    Answer put =
        put(
            blob,
            "hello world",
            "Content-Type: text/plain",
            "Content-Encoding: identity",
            "x-ms-blob-content-language: de",
            "x-ms-blob-content-disposition: inline",
            "Cache-Control: no-store",
            "x-ms-tags: a=1&b=2",
            "x-ms-meta-owner: ann");
    for (String method : List.of("GET", "HEAD")) {
      Answer read =
          server.owner(
              method, blob, "", "x-ms-client-request-id: mine", "x-ms-version: 2025-01-05");
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header("Server")).isEqualTo("Lazuli-Blob/" + Version.current());
      assertThat(read.header("x-ms-client-request-id")).isEqualTo("mine");
      assertThat(read.header("Content-Length")).isEqualTo("11");
      assertThat(read.header("Content-Type")).isEqualTo("text/plain");
      assertThat(read.header("Content-Encoding")).isEqualTo("identity");
      assertThat(read.header("Content-Language")).isEqualTo("de");
      assertThat(read.header("Content-Disposition")).isEqualTo("inline");
      assertThat(read.header("Cache-Control")).isEqualTo("no-store");
      assertThat(read.header("Content-MD5")).isEqualTo(HELLO_MD5);
      assertThat(read.header("ETag")).isEqualTo(put.header("ETag"));
      assertThat(read.header("Last-Modified")).isEqualTo(put.header("Last-Modified"));
      assertThat(read.header("Accept-Ranges")).isEqualTo("bytes");
      assertThat(read.header("x-ms-blob-type")).isEqualTo("BlockBlob");
      assertThat(read.header("x-ms-creation-time")).endsWith("GMT");
      assertThat(read.header("x-ms-lease-state")).isEqualTo("available");
      assertThat(read.header("x-ms-lease-status")).isEqualTo("unlocked");
      assertThat(read.header("x-ms-lease-duration")).isNull();
      assertThat(read.header("x-ms-server-encrypted")).isEqualTo("true");
      assertThat(read.header("x-ms-meta-owner")).isEqualTo("ann");
      assertThat(read.header("x-ms-tag-count")).isEqualTo("2");
      assertThat(read.header("x-ms-access-tier")).isEqualTo(method.equals("GET") ? null : "Hot");
      assertThat(read.header("x-ms-access-tier-inferred"))
          .isEqualTo(method.equals("GET") ? null : "true");
    }
  }

  @Test
  void aBlobThatIsNothingInParticularIsBytes() {
    put(blob, "x");
    assertThat(server.owner("HEAD", blob, "").header("Content-Type"))
        .isEqualTo("application/octet-stream");
  }

  @Test
  void aPartIsReadWithItsChecksum() {
    put(blob, "hello world");
    Answer part =
        server.owner("GET", blob, "", "x-ms-range: bytes=6-99", "x-ms-range-get-content-md5: true");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("world");
    assertThat(part.header("Content-Length")).isEqualTo("5");
    assertThat(part.header("Content-Range")).isEqualTo("bytes 6-10/11");
    assertThat(part.header("Content-MD5")).isEqualTo("fXkwN6B2AYZXSwKC8vQ15w==");
    assertThat(part.header("x-ms-blob-content-md5")).isEqualTo(HELLO_MD5);
    Answer other =
        server.owner("GET", blob, "", "Range: bytes=0-", "x-ms-range-get-content-crc64: True");
    assertThat(other.header("x-ms-content-crc64")).isEqualTo(HELLO_CRC64);
    assertThat(other.header("Content-MD5")).isNull();
    assertThat(other.status()).isEqualTo(206);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-4,206,hello",
    "bytes=6-,206,world",
    "bytes=0-999,206,hello world",
    "bytes=10-10,206,d",
    "bytes=0--1,200,hello world",
    "bytes=5-2,200,hello world",
    "bytes=-5,200,hello world",
    "'bytes=0-1,3-4',200,hello world",
    "lines=0-1,200,hello world",
  })
  void rangesAreReadAsTheSpecificationSays(String range, int status, String expected) {
    put(blob, "hello world");
    Answer answer = server.owner("GET", blob, "", "x-ms-range: " + range, "Range: bytes=1-1");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo(expected);
  }

  @Test
  void aRangeBehindTheEndTellsTheSize() {
    put(blob, "");
    Answer refused = server.owner("GET", blob, "", "x-ms-range: bytes=0-4194303");
    assertRefused(refused, 416, "InvalidRange");
    assertThat(refused.header("Content-Range")).isEqualTo("bytes */0");
    assertThat(refused.body()).contains("<Code>InvalidRange</Code>").doesNotContain("contentRange");
    assertThat(server.owner("GET", blob, "", "x-ms-range: bytes=0--1").status()).isEqualTo(200);
    Answer whole = server.owner("GET", blob, "");
    assertThat(whole.status()).isEqualTo(200);
    assertThat(whole.header("Content-Length")).isEqualTo("0");
    assertThat(whole.header("Content-MD5")).isEqualTo("1B2M2Y8AsgTpgAmY7PhCfg==");
  }

  @Test
  void checksumsOfWhatIsNoSmallRangeAreRefused() {
    put(blob, "hello world");
    Answer whole = server.owner("GET", blob, "", "x-ms-range-get-content-md5: true");
    assertRefused(whole, 400, "InvalidHeaderValue");
    assertThat(whole.body()).contains("<HeaderName>x-ms-range-get-content-md5</HeaderName>");
    assertRefused(
        server.owner(
            "GET",
            blob,
            "",
            "x-ms-range: bytes=0-1",
            "x-ms-range-get-content-md5: true",
            "x-ms-range-get-content-crc64: true"),
        400,
        "BothCrc64AndMd5RangeHeaderPresent");
  }

  @Test
  void checksumsOfABodyAreCompared() {
    assertThat(put(blob, "hello world", "Content-MD5: " + HELLO_MD5).status()).isEqualTo(201);
    assertThat(put(blob, "hello world", "x-ms-content-crc64: " + HELLO_CRC64).status())
        .isEqualTo(201);
    Answer wrong = put(blob, "other", "Content-MD5: " + HELLO_MD5);
    assertRefused(wrong, 400, "Md5Mismatch");
    assertThat(wrong.body()).contains("<UserSpecifiedMd5>" + HELLO_MD5 + "</UserSpecifiedMd5>");
    assertRefused(put(blob, "other", "x-ms-content-crc64: " + HELLO_CRC64), 400, "Crc64Mismatch");
    assertRefused(put(blob, "other", "x-ms-blob-content-md5: " + HELLO_MD5), 400, "Md5Mismatch");
    assertRefused(put(blob, "other", "Content-MD5: abc"), 400, "InvalidMd5");
    assertRefused(
        put(blob, "hello world", "Content-MD5: " + HELLO_MD5, "x-ms-content-crc64: " + HELLO_CRC64),
        400,
        "BothCrc64AndMd5HeaderPresent");
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("hello world");
  }

  @Test
  void bodiesNeedALength() throws IOException {
    String credentials = server.credentials("PUT", blob, BLOCK_BLOB);
    try (RawConnection connection = new RawConnection(server.server().blobPort())) {
      Answer answer =
          connection.ask(
              "PUT /devstoreaccount1"
                  + blob
                  + " HTTP/1.1\r\nHost: localhost\r\n"
                  + credentials
                  + BLOCK_BLOB
                  + "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
      assertRefused(answer, 411, "MissingContentLengthHeader");
    }
  }
}
