package io.lazuli.conformance.wire;

import io.lazuli.conformance.Account;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One connection to the service: it sends bytes and reads one answer. Used by one thread at a time.
 * After an exception it cannot be used again.
 */
public final class Connection implements AutoCloseable {

  private static final int CONNECT_MILLIS_MAX = 10_000;
  private static final int READ_MILLIS_MAX = 60_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private boolean reusable = true;

  private Connection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
    this.out = new BufferedOutputStream(socket.getOutputStream(), 64 << 10);
  }

  static Connection open(Account account, SocketFactory sockets) throws IOException {
    return open(account, sockets, READ_MILLIS_MAX);
  }

  /** Connects to the service. Each read fails if no bytes arrive within the given time. */
  public static Connection open(Account account, SocketFactory sockets, int readMillisMax)
      throws IOException {
    Socket socket = sockets.createSocket();
    socket.setTcpNoDelay(true);
    if (socket instanceof SSLSocket secure) {
      SSLParameters parameters = secure.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secure.setSSLParameters(parameters);
    }
    socket.setSoTimeout(readMillisMax);
    try {
      socket.connect(
          new InetSocketAddress(account.endpoint().getHost(), account.port()), CONNECT_MILLIS_MAX);
      if (socket instanceof SSLSocket secure) {
        secure.startHandshake();
      }
      return new Connection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends a whole request and reads its answer. A server may answer and close the connection before
   * it has read the whole request. Writing the request then fails, but the answer is still
   * returned.
   */
  public WireAnswer exchange(byte[] head, byte[] body, String verb) throws IOException {
    try {
      out.write(head);
      out.write(body);
      out.flush();
    } catch (IOException e) {
      reusable = false;
    }
    return read(verb);
  }

  WireAnswer read(String verb) throws IOException {
    WireAnswer answer = readOne(verb);
    while (answer.status() == 100) {
      answer = readOne(verb);
    }
    if (answer.header("Connection").filter("close"::equalsIgnoreCase).isPresent()) {
      reusable = false;
    }
    return answer;
  }

  public boolean isReusable() {
    return reusable;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      reusable = false;
    }
  }

  private WireAnswer readOne(String verb) throws IOException {
    String statusLine = readLine();
    if (!statusLine.matches("HTTP/\\d\\.\\d \\d{3}.*")) {
      throw new IOException("the answer is not HTTP");
    }
    List<Header> headers = new ArrayList<>();
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      headers.add(WireAnswer.parseHeader(line));
    }
    WireAnswer head = WireAnswer.of(statusLine, headers, new byte[0]);
    int status = head.status();
    boolean bodyless = verb.equals("HEAD") || status < 200 || status == 204 || status == 304;
    return bodyless ? head : WireAnswer.of(statusLine, headers, readBody(head));
  }

  private byte[] readBody(WireAnswer head) throws IOException {
    if (head.header("Transfer-Encoding").filter("chunked"::equalsIgnoreCase).isPresent()) {
      return readChunks();
    }
    if (head.header("Content-Length").isPresent()) {
      return readExactly(Integer.parseInt(head.header("Content-Length").get()));
    }
    reusable = false;
    return in.readAllBytes();
  }

  private byte[] readChunks() throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(readLine().strip(), 16);
      whole.write(readExactly(length));
      readLine();
      if (length == 0) {
        return whole.toByteArray();
      }
    }
  }

  private byte[] readExactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("answer ended after " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("connection closed");
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }
}
