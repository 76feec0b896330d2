package io.lazuli.storage.history.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a service, for one thread. A request that gets no answer fails and is not
 * repeated; the next request connects again, and waits until the server listens.
 */
final class HttpLine implements AutoCloseable {
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int ANSWER_MILLIS_MAX = 30_000;
  private static final int CONNECT_MILLIS_MAX = 5_000;
  private static final int SERVER_ERROR = 500;

  private final Supplier<InetSocketAddress> address;
  private final String token;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  // Bytes that were read from the connection and not used yet.
  private byte[] bytes = new byte[16 << 10];
  private int begin;
  private int end;

  /** An answer; the body has one character per byte. */
  record Answer(int status, String head, String body) {
    /** Returns the value of a header; empty if there is none. */
    String header(String name) {
      for (int at = head.indexOf('\n') + 1; at > 0; at = head.indexOf('\n', at) + 1) {
        int colon = at + name.length();
        if (head.regionMatches(true, at, name, 0, name.length()) && head.charAt(colon) == ':') {
          return head.substring(colon + 1, head.indexOf('\r', colon)).strip();
        }
      }
      return "";
    }
  }

  /**
   * Creates a line.
   *
   * @param address where the service listens now, asked for each connection
   * @param token a signature for the account
   */
  HttpLine(Supplier<InetSocketAddress> address, String token) {
    this.address = address;
    this.token = token;
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
    request.append(path.indexOf('?') < 0 ? '?' : '&').append(token);
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
      Socket made = new Socket();
      try {
        made.connect(address.get(), CONNECT_MILLIS_MAX);
        made.setTcpNoDelay(true);
        made.setSoTimeout(ANSWER_MILLIS_MAX);
        in = made.getInputStream();
        begin = 0;
        end = 0;
        socket = made;
      } catch (IOException e) {
        made.close();
        if (System.nanoTime() - start > START_MAX.toNanos()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private Answer answer() throws IOException {
    String head = upTo("\r\n\r\n");
    Answer answer = new Answer(Integer.parseInt(head.substring(9, 12)), head, "");
    String length = answer.header("content-length");
    if (!length.isEmpty()) {
      return new Answer(answer.status(), head, next(Integer.parseInt(length)));
    } else if (answer.header("transfer-encoding").equals("chunked")) {
      return new Answer(answer.status(), head, chunks());
    }
    return answer;
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    for (int size = -1; size != 0; ) {
      size = Integer.parseInt(upTo("\r\n").strip(), 16);
      body.append(next(size));
      upTo("\r\n");
    }
    return body.toString();
  }

  /** Returns the next characters, up to this mark and with it. */
  private String upTo(String mark) throws IOException {
    int length = mark.length();
    await(length);
    while (!isAt(begin + length - mark.length(), mark)) {
      length++;
      await(length);
    }
    return next(length);
  }

  private boolean isAt(int from, String mark) {
    for (int i = mark.length() - 1; i >= 0; i--) {
      if (bytes[from + i] != mark.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private String next(int length) throws IOException {
    await(length);
    String text = new String(bytes, begin, length, StandardCharsets.ISO_8859_1);
    begin += length;
    return text;
  }

  /** Waits until this many bytes have arrived. */
  private void await(int count) throws IOException {
    if (bytes.length - begin < count) {
      byte[] larger = bytes.length < count ? new byte[2 * count] : bytes;
      System.arraycopy(bytes, begin, larger, 0, end - begin);
      bytes = larger;
      end -= begin;
      begin = 0;
    }
    while (end - begin < count) {
      int read = in.read(bytes, end, bytes.length - end);
      if (read < 0) {
        throw new IOException("closed by the server");
      }
      end += read;
    }
  }

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }
}
