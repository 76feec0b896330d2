package io.lazuli.server.history;

import io.lazuli.server.WireServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a service, for one thread. A request that gets no answer fails and is not
 * repeated; the next request connects again, and waits until the server listens.
 */
final class HttpLine implements AutoCloseable {
  private static final String TOKEN = WireServer.accountToken("bqt", "sco", "rwdlacup");
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int ANSWER_MILLIS_MAX = 30_000;
  private static final int SERVER_ERROR = 500;

  private final IntSupplier port;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  /** An answer; the body has one character per byte. */
  record Answer(int status, String head, String body) {
    /** Returns the value of a header; empty if there is none. */
    String header(String name) {
      int at = head.toLowerCase(Locale.ROOT).indexOf("\r\n" + name + ":");
      if (at < 0) {
        return "";
      }
      int from = at + name.length() + 3;
      return head.substring(from, head.indexOf("\r\n", from)).strip();
    }
  }

  /**
   * Creates a line.
   *
   * @param port the current port of the service
   */
  HttpLine(IntSupplier port) {
    this.port = port;
  }

  /**
   * Sends a request.
   *
   * @param path below the account, with its query
   * @param headers complete lines, each with its line end
   * @throws IOException if the answer was lost, or if the server reports that it failed
   */
  Answer ask(String method, String path, String headers, String body) throws IOException {
    connect();
    StringBuilder request = new StringBuilder(256 + body.length());
    request.append(method).append(" /devstoreaccount1").append(path);
    request.append(path.indexOf('?') < 0 ? '?' : '&').append(TOKEN);
    request.append(" HTTP/1.1\r\nHost: localhost\r\nx-ms-version: 2021-12-02\r\n").append(headers);
    request.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
    try {
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
      Answer answer = answer();
      if (answer.header("connection").equals("close")) {
        close();
      }
      if (answer.status() >= SERVER_ERROR) {
        throw new IOException("the server failed: " + answer);
      }
      return answer;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void connect() throws IOException {
    long start = System.nanoTime();
    while (socket == null) {
      try {
        Socket made = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt());
        made.setTcpNoDelay(true);
        made.setSoTimeout(ANSWER_MILLIS_MAX);
        in = new BufferedInputStream(made.getInputStream());
        socket = made;
      } catch (IOException e) {
        if (System.nanoTime() - start > START_MAX.toNanos()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private Answer answer() throws IOException {
    String head = head();
    Answer answer = new Answer(Integer.parseInt(head.substring(9, 12)), head, "");
    String length = answer.header("content-length");
    if (!length.isEmpty()) {
      return new Answer(answer.status(), head, text(in.readNBytes(Integer.parseInt(length))));
    } else if (answer.header("transfer-encoding").equals("chunked")) {
      return new Answer(answer.status(), head, chunks());
    }
    return answer;
  }

  private String head() throws IOException {
    StringBuilder head = new StringBuilder(512);
    do {
      head.append(line()).append("\r\n");
    } while (!(head.length() > 4 && head.indexOf("\r\n\r\n", head.length() - 4) >= 0));
    return head.toString();
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    for (int size = -1; size != 0; ) {
      size = Integer.parseInt(line(), 16);
      body.append(text(in.readNBytes(size)));
      line();
    }
    return body.toString();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(64);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("closed by the server");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }
}
