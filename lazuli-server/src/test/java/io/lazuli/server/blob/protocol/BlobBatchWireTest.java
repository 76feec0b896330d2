package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches of deletions and tiers (blob-rest 8.5). */
class BlobBatchWireTest {
  private static final String TYPE = "Content-Type: multipart/mixed; boundary=batch_1";

  private static WireServer server;

  @BeforeAll
  static void start() {
    server = WireServer.ofBlobs();
    server.owner("PUT", "/batch?restype=container", "");
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void putBlobs() {
    for (String each : new String[] {"a", "b", "c"}) {
      server.owner("PUT", "/batch/" + each, "x", "x-ms-blob-type: BlockBlob");
    }
  }

  private static String part(int id, String method, String path, String... headers) {
    StringBuilder part = new StringBuilder("--batch_1\r\nContent-Type: application/http\r\n");
    part.append("Content-Transfer-Encoding: binary\r\nContent-ID: ").append(id).append("\r\n\r\n");
    part.append(method).append(" /devstoreaccount1").append(path).append(" HTTP/1.1\r\n");
    part.append(server.credentials(method, path, headers));
    for (String header : headers) {
      part.append(header).append("\r\n");
    }
    return part.append("Content-Length: 0\r\n\r\n").toString();
  }

  private static Answer send(String path, String... parts) {
    String body = String.join("", parts) + "--batch_1--\r\n";
    return server.owner("POST", path, body, TYPE, "x-ms-version: 2025-01-05");
  }

  @Test
  void eachPartSucceedsOrFailsByItself() {
    Answer answer =
        send(
            "?comp=batch&restype=container",
            part(0, "DELETE", "/batch/a", "x-ms-client-request-id: mine"),
            part(1, "DELETE", "/batch/none"),
            part(2, "DELETE", "/batch/b"));
    assertThat(answer.status()).isEqualTo(202);
    String boundary = answer.header("Content-Type").split("boundary=", -1)[1];
    assertThat(boundary).startsWith("batchresponse_");
    String[] parts = answer.body().split("--" + boundary, -1);
    assertThat(parts).hasSize(5);
    assertThat(parts[1])
        .contains("Content-ID: 0\r\n", "HTTP/1.1 202 Accepted\r\n", "x-ms-request-id: ")
        .contains("x-ms-delete-type-permanent: true", "x-ms-version: 2025-01-05\r\n")
        .contains("Server: Lazuli-Blob/", "x-ms-client-request-id: mine\r\n");
    assertThat(parts[2])
        .contains("Content-ID: 1\r\n", "HTTP/1.1 404 The specified blob does not exist.\r\n")
        .contains("x-ms-error-code: BlobNotFound\r\n", "Server: Lazuli-Blob/")
        .contains("Content-Type: application/xml\r\n", "<Code>BlobNotFound</Code>");
    assertThat(parts[2]).endsWith("</Error>\r\n");
    assertThat(parts[3]).contains("HTTP/1.1 202 Accepted").endsWith("2025-01-05\r\n\r\n");
    assertThat(parts[4]).isEqualTo("--");
    assertThat(server.owner("HEAD", "/batch/a", "").status()).isEqualTo(404);
    assertThat(server.owner("HEAD", "/batch/c", "").status()).isEqualTo(200);
  }

  @Test
  void partsAreAuthorisedByThemselves() {
    String forged = part(0, "DELETE", "/batch/a").replaceAll("devstoreaccount1:..", "$0x");
    String token = WireServer.blobToken("batch/c", "sr", "b", "sp", "d");
    String signed =
        "--batch_1\r\nContent-Type: application/http\r\nContent-ID: 1\r\n\r\n"
            + "DELETE /devstoreaccount1/batch/c?"
            + token
            + " HTTP/1.1\r\n\r\n\r\n";
    Answer answer = send("/batch?restype=container&comp=batch", forged, signed);
    assertThat(answer.body())
        .contains("HTTP/1.1 403 ", "AuthenticationFailed", "HTTP/1.1 202 Accepted");
    assertThat(server.owner("HEAD", "/batch/a", "").status()).isEqualTo(200);
    assertThat(server.owner("HEAD", "/batch/c", "").status()).isEqualTo(404);
  }

  @Test
  void aTierIsSetForMany() {
    Answer answer =
        send(
            "/batch?restype=container&comp=batch",
            part(0, "PUT", "/batch/a?comp=tier", "x-ms-access-tier: Cool"),
            part(1, "PUT", "/batch/b?comp=tier", "x-ms-access-tier: Cool"));
    assertThat(answer.body()).contains("HTTP/1.1 200 OK").doesNotContain("HTTP/1.1 4");
    assertThat(server.owner("HEAD", "/batch/b", "").header("x-ms-access-tier")).isEqualTo("Cool");
  }

  @Test
  void nothingElseGoesInABatch() {
    assertThat(send("?comp=batch", part(0, "GET", "/batch/a")).body())
        .contains("HTTP/1.1 400 ", "<Code>InvalidInput</Code>");
    Answer mixed =
        send(
            "?comp=batch",
            part(0, "PUT", "/batch/a?comp=tier", "x-ms-access-tier: Cool"),
            part(1, "DELETE", "/batch/a"));
    assertThat(mixed.body()).contains("HTTP/1.1 200 ", "HTTP/1.1 400 ");
    assertThat(send("/other?restype=container&comp=batch", part(0, "DELETE", "/batch/a")).body())
        .contains("HTTP/1.1 400 ");
    assertThat(send("?comp=batch").header("x-ms-error-code")).isEqualTo("InvalidInput");
    assertThat(server.owner("POST", "?comp=batch", "x", "Content-Type: text/plain").status())
        .isEqualTo(400);
  }
}
