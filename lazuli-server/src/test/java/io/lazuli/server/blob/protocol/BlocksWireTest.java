package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import org.junit.jupiter.api.Test;

/** Blocks, their lists, and append blobs (blob-rest 11 and 12). */
class BlocksWireTest extends BlobWire {
  @Test
  void blocksBecomeABlobWithTheirList() {
    String big = container + "/big";
    Answer block = server.owner("PUT", big + "?comp=block&blockid=MDAx", "hello ");
    assertThat(block.status()).isEqualTo(201);
    assertThat(block.header("x-ms-content-crc64")).isNotNull();
    assertThat(block.header("Content-MD5")).isNull();
    assertThat(block.header("ETag")).isNull();
    Answer md5 =
        server.owner(
            "PUT",
            big + "?comp=block&blockid=MDAy",
            "world",
            "x-ms-version: 2025-01-05",
            "Content-MD5: fXkwN6B2AYZXSwKC8vQ15w==");
    assertThat(md5.header("Content-MD5")).isEqualTo("fXkwN6B2AYZXSwKC8vQ15w==");
    assertThat(md5.header("x-ms-content-crc64")).isNull();
    assertRefused(server.owner("GET", big, ""), 404, "BlobNotFound");
    Answer waiting = server.owner("GET", big + "?comp=blocklist&blocklisttype=all", "");
    assertThat(waiting.header("ETag")).isNull();
    assertThat(waiting.header("x-ms-blob-content-length")).isNull();
    assertThat(waiting.body())
        .isEqualTo(
            HEAD
                + "<BlockList><CommittedBlocks /><UncommittedBlocks><Block><Name>MDAx</Name>"
                + "<Size>6</Size></Block><Block><Name>MDAy</Name><Size>5</Size></Block>"
                + "</UncommittedBlocks></BlockList>");
    assertRefused(
        server.owner("PUT", big + "?comp=block&blockid=MDAwMw==", "x"), 400, "InvalidBlobOrBlock");
    Answer committed = commit(big, "<Latest>MDAx</Latest><Latest>MDAy</Latest>");
    assertThat(committed.status()).isEqualTo(201);
    assertThat(committed.header("ETag")).startsWith("\"0x");
    assertThat(committed.header("x-ms-content-crc64")).isNotNull();
    assertThat(committed.header("x-ms-request-server-encrypted")).isEqualTo("true");
    Answer read = server.owner("GET", big, "");
    assertThat(read.body()).isEqualTo("hello world");
    assertThat(read.header("Content-MD5")).isNull();
    assertThat(read.header("Content-Type")).isEqualTo("application/octet-stream");
    Answer list = server.owner("GET", big + "?comp=blocklist", "");
    assertThat(list.header("x-ms-blob-content-length")).isEqualTo("11");
    assertThat(list.header("ETag")).isEqualTo(committed.header("ETag"));
    assertThat(list.body()).contains("<CommittedBlocks><Block><Name>MDAx").doesNotContain("Unc");
    assertRefused(commit(big, "<Latest>MDAz</Latest>"), 400, "InvalidBlockList");
    assertThat(server.owner("GET", big, "").body()).isEqualTo("hello world");
  }

  @Test
  void aBlockListIsAnsweredWithTheCrc64OfItsBodyAndTheMd5IfItCame() {
    String md5 = "Content-MD5: orYHSmdogAa2WLBK0DtUyA==";
    Answer committed = commit(blob, "", md5);
    assertThat(committed.status()).isEqualTo(201);
    assertThat(committed.header("Content-MD5")).isEqualTo("orYHSmdogAa2WLBK0DtUyA==");
    assertThat(committed.header("x-ms-content-crc64"))
        .isEqualTo(commit(blob, "").header("x-ms-content-crc64"))
        .isNotNull();
  }

  @Test
  void appendsGoToTheEndAndOnlyThere() {
    String log = container + "/log";
    Answer created = server.owner("PUT", log, "", APPEND_BLOB);
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(created.header("Content-MD5")).isNull();
    assertRefused(server.owner("PUT", log, "x", APPEND_BLOB), 400, "InvalidHeaderValue");
    Answer first = server.owner("PUT", log + "?comp=appendblock", "line1\n");
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("x-ms-blob-append-offset")).isEqualTo("0");
    assertThat(first.header("x-ms-blob-committed-block-count")).isEqualTo("1");
    assertThat(first.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(first.header("x-ms-content-crc64")).isNotNull();
    String position = "x-ms-blob-condition-appendpos: 6";
    Answer second = server.owner("PUT", log + "?comp=appendblock", "line2\n", position);
    assertThat(second.header("x-ms-blob-append-offset")).isEqualTo("6");
    assertThat(second.header("x-ms-blob-committed-block-count")).isEqualTo("2");
    assertRefused(
        server.owner("PUT", log + "?comp=appendblock", "line2\n", position),
        412,
        "AppendPositionConditionNotMet");
    assertRefused(
        server.owner("PUT", log + "?comp=appendblock", "x", "x-ms-blob-condition-maxsize: 12"),
        412,
        "MaxBlobSizeConditionNotMet");
    Answer read = server.owner("GET", log, "");
    assertThat(read.body()).isEqualTo("line1\nline2\n");
    assertThat(read.header("x-ms-blob-committed-block-count")).isEqualTo("2");
    assertThat(server.owner("HEAD", log, "").header("x-ms-access-tier")).isNull();
    assertRefused(put(log, "x"), 409, "InvalidBlobType");
  }

  @Test
  void aSealedBlobTakesNoMore() {
    String log = container + "/log";
    server.owner("PUT", log, "", APPEND_BLOB);
    Answer sealed = server.owner("PUT", log + "?comp=seal", "");
    assertThat(sealed.status()).isEqualTo(200);
    assertThat(sealed.header("x-ms-blob-sealed")).isEqualTo("true");
    assertThat(server.owner("HEAD", log, "").header("x-ms-blob-sealed")).isEqualTo("true");
    assertRefused(server.owner("PUT", log + "?comp=appendblock", "x"), 409, "BlobIsSealed");
  }
}
