package io.lazuli.server.blob.service;

import io.lazuli.server.PackedServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;

/**
 * Writes numbered versions to one service until the server is gone, and knows what must be there
 * afterwards. Used by one thread at a time.
 */
interface KillWriter {
  /** Returns the number of the last version that the server acknowledged. */
  int acknowledged();

  /** Writes one version after another until the connection ends. */
  void write(PackedServer server);

  /**
   * Checks that the acknowledged version, or the next one, is stored completely. Returns the number
   * of items that were read.
   */
  int verify(PackedServer server);

  /** Sends a request of the owner, and returns its answer. */
  static Answer send(
      RawConnection connection,
      WireServer.Signer signer,
      String method,
      String path,
      byte[] body,
      String... headers)
      throws IOException {
    connection.send(head(signer, method, path, body.length, headers));
    return connection.send(body).answer();
  }

  static String head(
      WireServer.Signer signer, String method, String path, int length, String... headers) {
    StringBuilder head = new StringBuilder(method).append(" /devstoreaccount1").append(path);
    head.append(" HTTP/1.1\r\nHost: localhost\r\n").append(signer.lines(method, path, headers));
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("Content-Length: ").append(length).append("\r\n\r\n").toString();
  }
}
