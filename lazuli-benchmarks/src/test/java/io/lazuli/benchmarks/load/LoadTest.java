package io.lazuli.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadTest {
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          int status = served.getAndIncrement() < failures.get() ? 503 : 200;
          byte[] body = ("answer " + status).getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void everyRequestOfEveryScriptIsAnsweredAndTimed() throws IOException {
    LoadResult result = run(7, 5, 10);
    assertThat(result.requests()).isEqualTo(35);
    assertThat(served).hasValue(35);
    assertThat(result.latency().getTotalCount()).isEqualTo(35);
    assertThat(result.requireNoErrors()).isSameAs(result);
  }

  @Test
  void bodiesLargerThanASocketBufferArrive() throws IOException {
    assertThat(run(2, 2, 8 << 20).requireNoErrors().requests()).isEqualTo(4);
  }

  @Test
  void errorsAreCountedAndFailTheRun() throws IOException {
    failures.set(3);
    LoadResult result = run(2, 5, 10);
    assertThat(result.errors()).isEqualTo(3);
    assertThatThrownBy(result::requireNoErrors)
        .isInstanceOf(LoadFailedException.class)
        .hasMessageContaining("3 of 10")
        .hasMessageContaining("503 answer 503");
  }

  @Test
  void serverCpuIsMeasuredDuringTheLoad() throws IOException {
    AtomicLong cpu = new AtomicLong(100);
    LoadResult result =
        Load.run(server.getAddress(), scripts(1, 1, 10), () -> cpu.getAndAdd(42), () -> true);
    assertThat(result.serverCpuNanos()).isEqualTo(42);
  }

  @Test
  void nothingIsSentOnceTheTimeIsOver() throws IOException {
    LoadResult result = Load.run(server.getAddress(), scripts(3, 5, 10), () -> 0, () -> false);
    assertThat(result.requests()).isZero();
    assertThat(served).hasValue(0);
  }

  @Test
  void backgroundLoadRunsUntilItIsStopped() {
    BackgroundLoad load =
        BackgroundLoad.start(server.getAddress(), scripts(2, Integer.MAX_VALUE, 10));
    await().until(() -> served.get() > 20);
    LoadResult result = load.stop();
    assertThat(result.requests()).isEqualTo(served.get());
  }

  private LoadResult run(int connections, int each, int bodyBytes) throws IOException {
    return Load.run(
        server.getAddress(), scripts(connections, each, bodyBytes), () -> 0, () -> true);
  }

  private static List<Script> scripts(int connections, int each, int bodyBytes) {
    String request =
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: "
            + bodyBytes
            + "\r\n\r\n"
            + "x".repeat(bodyBytes);
    byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
    return Stream.<Script>generate(() -> times(each, bytes)).limit(connections).toList();
  }

  private static Script times(int count, byte[] request) {
    AtomicInteger left = new AtomicInteger(count);
    return () ->
        left.getAndDecrement() > 0 ? Optional.of(ByteBuffer.wrap(request)) : Optional.empty();
  }
}
