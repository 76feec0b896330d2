package io.lazuli.benchmarks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BlobRequestsTest {
  private final BlobRequests requests =
      BlobRequests.signedAt(
          URI.create("http://127.0.0.1:10000/devstoreaccount1"), "Sun, 01 Mar 2026 12:00:00 GMT");

  @Test
  void theSameBodyFollowsEachHead() {
    Payload payload = new Payload(1_000);
    ByteBuffer first = requests.put("photos", "a", payload);
    assertThat(text(first))
        .startsWith("PUT /devstoreaccount1/photos/a HTTP/1.1\r\n")
        .contains("\r\nx-ms-blob-type: BlockBlob\r\n")
        .contains("\r\nContent-Length: 1000\r\n")
        .contains("\r\nAuthorization: SharedKey devstoreaccount1:");
    assertThat(body(first)).isEqualTo(payload.body());
    ByteBuffer second = requests.put("photos", "a-longer-name", payload);
    assertThat(text(second)).startsWith("PUT /devstoreaccount1/photos/a-longer-name HTTP/1.1\r\n");
    assertThat(body(second)).isEqualTo(payload.body());
  }

  @Test
  void listCommitsTheBlocksThatWerePut() {
    assertThat(text(requests.putBlock("photos", "a", 1, new Payload(8))))
        .startsWith("PUT /devstoreaccount1/photos/a?blockid=MDAwMDAx&comp=block HTTP/1.1\r\n");
    assertThat(text(requests.commit("photos", "a", 2)))
        .startsWith("PUT /devstoreaccount1/photos/a?comp=blocklist HTTP/1.1\r\n")
        .endsWith(
            "\r\n\r\n<BlockList><Latest>MDAwMDAw</Latest><Latest>MDAwMDAx</Latest></BlockList>");
  }

  @Test
  void rangesEndWithTheirLastByte() {
    assertThat(text(requests.getRange("photos", "a", 100, 50)))
        .contains("\r\nx-ms-range: bytes=100-149\r\n");
  }

  @Test
  void listingsHaveOnlyTheirOwnParameters() {
    assertThat(text(requests.list("photos", "", "")))
        .startsWith("GET /devstoreaccount1/photos?comp=list&restype=container HTTP/1.1\r\n");
    assertThat(text(requests.list("photos", "2026/", "m=")))
        .startsWith(
            "GET /devstoreaccount1/photos?comp=list&marker=m%3D&prefix=2026%2F&restype=container ");
  }

  private static String text(ByteBuffer request) {
    return StandardCharsets.ISO_8859_1.decode(request.duplicate()).toString();
  }

  private static ByteBuffer body(ByteBuffer request) {
    int head = text(request).indexOf("\r\n\r\n") + 4;
    return request.slice(request.position() + head, request.remaining() - head);
  }
}
