package io.lazuli.conformance.blob.rest;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.wire.WireRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

/** Sends requests and disconnects in the middle of the body. */
final class AbortedUpload {

  private static final int LINGER_MILLIS = 50;

  private AbortedUpload() {}

  /** Sends a request whose body is shorter than its Content-Length, and disconnects. */
  static void send(WireRequest request) {
    Account account = request.account();
    try (Socket socket = new Socket(account.endpoint().getHost(), account.port())) {
      socket.getOutputStream().write(request.bytes());
      socket.getOutputStream().flush();
      socket.setSoTimeout(LINGER_MILLIS);
      awaitNothing(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits a moment for an answer. A server that waits for the rest of the body sends nothing, and
   * the connection is then reset. A server may also answer early.
   */
  private static void awaitNothing(Socket socket) throws IOException {
    try {
      socket.getInputStream().read();
    } catch (java.net.SocketTimeoutException e) {
      socket.setSoLinger(true, 0);
    }
  }
}
