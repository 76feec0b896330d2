package io.lazuli.conformance.siege;

import io.lazuli.conformance.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks {@code /health} and {@code /ready} in turn, each time over a new connection, and counts the
 * questions without an answer.
 */
final class HealthWatch implements AutoCloseable {

  /** Long enough for a busy machine: the question is whether the server answers at all. */
  private static final int ANSWER_MILLIS_MAX = Integer.getInteger("siege.health.millis", 15_000);

  private static final int PERIOD_MILLIS = 200;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final URI admin;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();

  HealthWatch(ServerProcess server) {
    this.admin = server.admin();
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(this::ask, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Returns the number of questions that got no answer. */
  long missed() {
    return missed.get();
  }

  private void ask() {
    try {
      ask(admin, asked.getAndIncrement() % 2 == 0 ? "/health" : "/ready");
    } catch (IOException e) {
      missed.addAndGet(thread.isShutdown() ? 0 : 1);
    }
  }

  private static void ask(URI admin, String path) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(ANSWER_MILLIS_MAX);
      socket.connect(new InetSocketAddress(admin.getHost(), admin.getPort()), ANSWER_MILLIS_MAX);
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      if (!new String(answer, StandardCharsets.UTF_8).startsWith("HTTP/1.1 ")) {
        throw new IOException("not an answer");
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
