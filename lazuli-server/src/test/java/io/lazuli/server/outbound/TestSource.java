package io.lazuli.server.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;

/**
 * A small HTTP server on loopback whose answers a test writes byte by byte. It reads one request
 * from each connection.
 */
public final class TestSource implements AutoCloseable {
  /** Writes the answer to a request. */
  @FunctionalInterface
  public interface Script {
    void answer(String head, OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final boolean secure;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Semaphore ended = new Semaphore(0);
  private volatile Script script;

  public TestSource(Script script) throws IOException {
    this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), false, script);
  }

  private TestSource(ServerSocket listener, boolean secure, Script script) {
    this.listener = listener;
    this.secure = secure;
    this.script = script;
    Thread thread = new Thread(this::accept, "test-source");
    thread.setDaemon(true);
    thread.start();
  }

  /** Starts a server that uses https. */
  public static TestSource secure(SSLContext context, Script script) throws IOException {
    ServerSocket listener =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    return new TestSource(listener, true, script);
  }

  /** Returns a script that answers with a text. */
  public static Script of(String answer) {
    return (head, out) -> out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns a script that answers with a text and ends the connection. */
  public static Script cut(String answer) {
    return (head, out) -> {
      out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      throw new IOException("cut");
    };
  }

  /** Returns a script that answers with content. */
  public static Script ofContent(String content, String... headers) {
    StringBuilder answer = new StringBuilder("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n");
    for (String header : headers) {
      answer.append(header).append("\r\n");
    }
    return of(answer + "Content-Length: " + content.length() + "\r\n\r\n" + content);
  }

  public void script(Script next) {
    script = next;
  }

  /** Returns the heads of all requests. */
  public List<String> heads() {
    return heads;
  }

  public int port() {
    return listener.getLocalPort();
  }

  public String url(String path) {
    return (secure ? "https" : "http") + "://127.0.0.1:" + port() + path;
  }

  /** Waits until the server is closed: for scripts that never end. */
  public void hang() throws InterruptedException {
    closed.await();
  }

  /** Waits until another connection was closed. */
  void awaitEnd() throws InterruptedException {
    ended.acquire();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        open.add(socket);
        Thread thread = new Thread(() -> serve(socket), "test-source-connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        // The listener was closed.
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      String head = head(socket.getInputStream());
      heads.add(head);
      script.answer(head, socket.getOutputStream());
      socket.getOutputStream().flush();
      // The client ends the connection, as with a server that keeps connections.
      while (socket.getInputStream().read() >= 0) {
        // More of the request.
      }
    } catch (IOException | InterruptedException e) {
      // The client ended the connection, as some tests expect.
      open.remove(socket);
    }
    ended.release();
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the connection ended");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
