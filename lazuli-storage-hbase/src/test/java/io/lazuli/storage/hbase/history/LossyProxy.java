package io.lazuli.storage.hbase.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy between clients and a server that can lose answers: requests arrive and are carried out,
 * but the client gets no answer.
 */
final class LossyProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final List<Link> links = new CopyOnWriteArrayList<>();
  private final AtomicLong lostBytes = new AtomicLong();

  LossyProxy(InetSocketAddress listen, InetSocketAddress target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(listen);
    start("proxy", this::accept);
  }

  /** Makes about half of the connections lose all answers from now on. */
  void loseAnswers(Random random) {
    links.forEach(link -> link.lossy = random.nextBoolean());
  }

  /** Closes the connections that lose answers. Their clients open new ones. */
  void cut() {
    links.stream().filter(link -> link.lossy).forEach(Link::close);
  }

  /** Returns the number of lost bytes. */
  long lostBytes() {
    return lostBytes.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        try {
          Socket server = new Socket(target.getAddress(), target.getPort());
          Link link = new Link(client, server);
          links.add(link);
          start("proxy-requests", link::passRequests);
          start("proxy-answers", link::passAnswers);
        } catch (IOException e) {
          // There is no server yet, or no more: the client sees a closed connection too.
          client.close();
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** One connection. */
  private final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean lossy;

    Link(Socket client, Socket server) throws IOException {
      this.client = client;
      this.server = server;
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    }

    void passRequests() {
      pass(client, server, false);
    }

    void passAnswers() {
      pass(server, client, true);
    }

    private void pass(Socket from, Socket to, boolean answers) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (answers && lossy) {
            lostBytes.addAndGet(read);
          } else {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException e) {
        // One side has closed the connection, so the other side sees that too.
      } finally {
        close();
      }
    }

    void close() {
      links.remove(this);
      try (client;
          server) {
        lossy = true;
      } catch (IOException e) {
        // The socket counts as closed anyway.
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    links.forEach(Link::close);
  }
}
