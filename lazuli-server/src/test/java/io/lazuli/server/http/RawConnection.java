package io.lazuli.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends exactly the given bytes, and reads answers. */
public final class RawConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  /** One answer; header names are in lower case. */
  public record Answer(int status, Map<String, String> headers, String body) {
    public String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }
  }

  public RawConnection(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Connects from one of the addresses of loopback. */
  public RawConnection(int port, String localAddress) throws IOException {
    this(
        new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(localAddress), 0));
  }

  /** Uses a socket that is already connected, such as one with TLS. */
  public RawConnection(Socket connected) throws IOException {
    socket = connected;
    socket.setSoTimeout(10_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Waits for every answer until the test ends. */
  public void waitForever() throws IOException {
    socket.setSoTimeout(0);
  }

  /** Sends text as ISO-8859-1. */
  public RawConnection send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  public Answer ask(String request) throws IOException {
    return send(request).answer();
  }

  /** Returns an answer whose head says how long it is. Of others, such as streams, the head. */
  public Answer answer() throws IOException {
    return answer(headers -> body(headers, false));
  }

  /** Returns an answer that ends, also one in chunks. */
  public Answer wholeAnswer() throws IOException {
    return answer(headers -> body(headers, true));
  }

  /** Returns an answer that has no body, whatever its length says: to HEAD, or 100. */
  public Answer answerWithoutBody() throws IOException {
    return answer(headers -> new byte[0]);
  }

  /** Reads a body. */
  private interface Body {
    byte[] read(Map<String, String> headers) throws IOException;
  }

  private Answer answer(Body rest) throws IOException {
    String status = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    String body = new String(rest.read(headers), StandardCharsets.UTF_8);
    return new Answer(Integer.parseInt(status.substring(9, 12)), headers, body);
  }

  private byte[] body(Map<String, String> headers, boolean withChunks) throws IOException {
    if (!withChunks || !"chunked".equals(headers.get("transfer-encoding"))) {
      return in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = -1; size != 0; ) {
      size = Integer.parseInt(line(), 16);
      body.write(in.readNBytes(size));
      line();
    }
    return body.toByteArray();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("closed after: " + line);
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads this many bytes of a body, or fewer if the server closes first. */
  public byte[] bytes(int length) throws IOException {
    return in.readNBytes(length);
  }

  /** Waits until the server closes. Returns false if it sends something instead. */
  public boolean isClosedByServer() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Sends nothing more. Answers can still be read. */
  public RawConnection endOutput() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Ends the connection without the usual end of the output. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
