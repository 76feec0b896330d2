package io.lazuli.conformance.turns;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy that hands the requests of its clients to several servers in turn, as a load balancer
 * might: each request goes to the server after the one that got the last request, even on the same
 * connection. A request that is unusual ({@link MessageHead#isPlainRequest}) goes to the next
 * server too, but then the rest of the connection stays there, byte for byte.
 */
public final class InTurns implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int BACKLOG = 50;

  /** How long the proxy waits for the rest of a head before it passes on what it has. */
  private static final int HEAD_MILLIS_MAX = 500;

  private final List<Integer> ports;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong requests = new AtomicLong();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "in-turns");
            thread.setDaemon(true);
            return thread;
          });

  /** Opens the proxy for servers that listen on loopback. */
  public InTurns(List<Integer> ports) throws IOException {
    this.ports = List.copyOf(ports);
    this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Returns how many requests were handed on, not counting the later ones of unusual connections.
   */
  public long requests() {
    return requests.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        threads.execute(() -> new Connection(client).serve());
      }
    } catch (IOException e) {
      // Closed.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
  }

  /** One connection of a client. */
  private final class Connection {
    private final Socket client;

    Connection(Socket client) {
      this.client = client;
      open.add(client);
    }

    void serve() {
      try (client) {
        client.setTcpNoDelay(true);
        InputStream in = new BufferedInputStream(client.getInputStream(), BUFFER_BYTES);
        boolean goOn = true;
        while (goOn) {
          goOn = next(in);
        }
      } catch (IOException e) {
        // One side has closed its connection, so the other side sees that too.
        return;
      } finally {
        open.remove(client);
      }
    }

    /** Hands one request on, and its answer back. Returns false if there will be no other. */
    private boolean next(InputStream in) throws IOException {
      in.mark(1);
      client.setSoTimeout(0);
      if (in.read() < 0) {
        return false;
      }
      in.reset();
      client.setSoTimeout(HEAD_MILLIS_MAX);
      MessageHead head = MessageHead.read(in);
      client.setSoTimeout(0);
      int turn = (int) (requests.getAndIncrement() % ports.size());
      // A new connection for each request: no server can have closed it as idle.
      try (Upstream server = new Upstream(ports.get(turn))) {
        server.out.write(head.bytes());
        return head.isPlainRequest() ? exchange(head, in, server) : passBytes(in, server);
      }
    }

    private boolean exchange(MessageHead head, InputStream in, Upstream server) throws IOException {
      CompletableFuture<Boolean> answer =
          CompletableFuture.supplyAsync(() -> server.answer(head.method(), client), threads);
      String length = head.value("content-length");
      copyBody(in, server, length.isEmpty() ? 0 : Long.parseLong(length));
      return answer.join();
    }

    /**
     * A server may refuse a body before it has arrived, so the failure to send it is not an end.
     */
    private void copyBody(InputStream in, Upstream server, long length) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      boolean wanted = true;
      for (long left = length; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          server.socket.shutdownOutput();
          return;
        }
        left -= read;
        try {
          if (wanted) {
            server.out.write(buffer, 0, read);
          }
        } catch (IOException e) {
          wanted = false;
        }
      }
    }

    /** Returns false. */
    private boolean passBytes(InputStream in, Upstream server) {
      CompletableFuture<Void> answers =
          CompletableFuture.runAsync(() -> pass(server.in, server.socket, client), threads);
      pass(in, client, server.socket);
      answers.join();
      return false;
    }
  }

  /** Passes bytes on until their end, which is passed on too. */
  private static void pass(InputStream in, Socket from, Socket to) {
    try {
      in.transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // Neither side can go on.
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The socket counts as closed anyway.
      return;
    }
  }

  /** A connection to a server. */
  private final class Upstream implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Upstream(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      open.add(socket);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
      out = socket.getOutputStream();
    }

    /**
     * Hands one answer back. Returns true if the client may send another request. Otherwise closes
     * the output of the client's connection.
     */
    boolean answer(String method, Socket client) {
      try {
        OutputStream to = client.getOutputStream();
        MessageHead head = MessageHead.read(in);
        while (!head.isEmpty() && head.status() < 200) {
          to.write(head.bytes());
          head = MessageHead.read(in);
        }
        to.write(head.bytes());
        boolean goesOn =
            !head.isEmpty()
                && copyBody(method, head, to)
                && !head.value("connection").equals("close");
        if (!goesOn) {
          client.shutdownOutput();
        }
        return goesOn;
      } catch (IOException e) {
        InTurns.close(client);
        return false;
      }
    }

    /** Copies the body of an answer. Returns false if the connection ends with it. */
    private boolean copyBody(String method, MessageHead head, OutputStream to) throws IOException {
      String length = head.value("content-length");
      if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
        return true;
      }
      if (head.value("transfer-encoding").equals("chunked")) {
        return copyChunks(to);
      }
      if (length.isEmpty()) {
        in.transferTo(to);
        return false;
      }
      return copy(Long.parseLong(length), to);
    }

    private boolean copyChunks(OutputStream to) throws IOException {
      while (true) {
        String line = line(to);
        if (line.isEmpty()) {
          return false;
        }
        int length = Integer.parseInt(line.split(";", 2)[0].strip(), 16);
        if (length == 0) {
          while (line(to).length() > 2) {
            // A trailer.
          }
          return true;
        }
        if (!copy(length + 2L, to)) {
          return false;
        }
      }
    }

    /** Copies a line and returns it with its end; empty at the end of the connection. */
    private String line(OutputStream to) throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next >= 0; next = in.read()) {
        to.write(next);
        line.append((char) next);
        if (next == '\n') {
          break;
        }
      }
      return line.toString();
    }

    private boolean copy(long length, OutputStream to) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (long left = length; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          return false;
        }
        to.write(buffer, 0, read);
        left -= read;
      }
      return true;
    }

    @Override
    public void close() {
      open.remove(socket);
      InTurns.close(socket);
    }
  }
}
