package io.lazuli.conformance.blob.rest;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.wire.WireRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLSocketFactory;

/** A client that reads the headers of an answer, does something else, and then reads the body. */
final class SlowReader {

  private static final int BUFFER_BYTES = 16 << 10;

  private SlowReader() {}

  /**
   * Returns the body of the answer, which must have a Content-Length. Runs an action between the
   * headers and the body.
   */
  static byte[] read(WireRequest request, Runnable between) {
    Account account = request.account();
    try (Socket socket = connect(account)) {
      socket.getOutputStream().write(request.bytes());
      InputStream in = socket.getInputStream();
      int length = length(head(in));
      between.run();
      return in.readNBytes(length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket connect(Account account) throws IOException {
    String host = account.endpoint().getHost();
    Socket socket = new Socket();
    socket.setReceiveBufferSize(BUFFER_BYTES);
    socket.connect(new InetSocketAddress(host, account.port()));
    if (!account.endpoint().getScheme().equals("https")) {
      return socket;
    }
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    return factory.createSocket(socket, host, account.port(), true);
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new AssertionError("the answer ended after: " + head);
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.UTF_8);
  }

  private static int length(String head) {
    for (String line : head.split("\r\n", -1)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        return Integer.parseInt(line.substring("content-length:".length()).strip());
      }
    }
    throw new AssertionError("there is no Content-Length in: " + head);
  }
}
