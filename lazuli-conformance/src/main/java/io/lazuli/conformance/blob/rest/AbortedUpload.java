package io.lazuli.conformance.blob.rest;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.wire.WireRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

/** A request whose client goes away in the middle of the body. */
final class AbortedUpload {

  private static final int LINGER_MILLIS = 50;

  private AbortedUpload() {}

  /** Sends what there is of the request, which says that there is more, and hangs up. */
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

  /** A server that waits for the rest says nothing; one that answers early has its say too. */
  private static void awaitNothing(Socket socket) throws IOException {
    try {
      socket.getInputStream().read();
    } catch (java.net.SocketTimeoutException e) {
      socket.setSoLinger(true, 0);
    }
  }
}
