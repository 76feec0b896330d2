package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the spans that a collector on loopback receives. */
class TracesWireTest {
  private static final String RECORDED = "0af7651916cd43dd8448eb211c80319c";
  private static final String NOT_RECORDED = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final List<String> received = new CopyOnWriteArrayList<>();
  private HttpServer collector;
  private volatile int status = 200;

  @BeforeEach
  void startCollector() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          received.add(new String(body, StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void stopCollector() {
    collector.stop(0);
  }

  @Test
  void aRequestJoinsTheTraceOfItsClient() throws IOException {
    try (LazuliServer server = LazuliServer.start(config())) {
      assertThat(ask(server, "00-" + NOT_RECORDED + "-00f067aa0ba902b7-00").status())
          .isEqualTo(403);
      assertThat(ask(server, "00-" + RECORDED + "-b7ad6b7169203331-01").status()).isEqualTo(403);
      await().until(() -> all().contains(bytes(RECORDED)));
      assertThat(all())
          .contains(bytes("b7ad6b7169203331"))
          .contains("table QueryTables")
          .contains("AuthenticationFailed")
          .doesNotContain(bytes(NOT_RECORDED))
          .doesNotContain("secret");
    }
  }

  @Test
  void aCollectorThatRefusesSpansIsATroubleAndNothingElse() throws IOException {
    status = 400;
    try (LazuliServer server = LazuliServer.start(config())) {
      assertThat(ask(server, "nonsense").status()).isEqualTo(403);
      await().until(() -> admin(server, "/health").contains("the thread traces fails"));
      assertThat(admin(server, "/metrics")).contains("lazuli_trace_dropped_spans_total 1.0");
    }
  }

  private String all() {
    return String.join("\n", received);
  }

  private static String bytes(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
  }

  private static Answer ask(LazuliServer server, String traceparent) throws IOException {
    try (RawConnection connection = new RawConnection(server.tablePort())) {
      return connection.ask(
          "GET /devstoreaccount1/Tables?sig=secret HTTP/1.1\r\nHost: localhost\r\ntraceparent: "
              + traceparent
              + "\r\n\r\n");
    }
  }

  private static String admin(LazuliServer server, String path) throws IOException {
    try (RawConnection connection = new RawConnection(server.adminPort())) {
      return connection.ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").body();
    }
  }

  private ServerConfig config() {
    return ServerConfig.builder()
        .engine("memory")
        .freePorts()
        .otlpEndpoint(URI.create("http://127.0.0.1:" + collector.getAddress().getPort()))
        .build();
  }
}
