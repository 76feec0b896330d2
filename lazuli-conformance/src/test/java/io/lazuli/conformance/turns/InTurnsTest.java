package io.lazuli.conformance.turns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests reach two servers in turn, and nothing of requests and answers is lost. */
class InTurnsTest {
  private HttpServer first;
  private HttpServer second;
  private InTurns both;

  @BeforeEach
  void start() throws IOException {
    first = echo("first", false);
    second = echo("second", true);
    both = new InTurns(List.of(first.getAddress().getPort(), second.getAddress().getPort()));
  }

  @AfterEach
  void stop() throws IOException {
    both.close();
    first.stop(0);
    second.stop(0);
  }

  /**
   * Starts a server that answers with its name and the body of the request.
   *
   * @param chunked whether the answer does not announce its length
   */
  private static HttpServer echo(String name, boolean chunked) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body = name + new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          exchange.sendResponseHeaders(200, chunked ? 0 : body.length());
          exchange.getResponseBody().write(body.getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void requestsOfOneConnectionGoToBothServers() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    URI address = URI.create("http://127.0.0.1:" + both.port() + "/path");
    String text = "text ".repeat(50_000);
    for (int round = 0; round < 5; round++) {
      for (String name : List.of("first", "second")) {
        HttpRequest request =
            HttpRequest.newBuilder(address)
                .version(HttpClient.Version.HTTP_1_1)
                .PUT(HttpRequest.BodyPublishers.ofString(text))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo(name + text);
      }
    }
    assertThat(both.requests()).isEqualTo(10);
  }

  /** The second request cannot be told from the first one's body without understanding chunks. */
  @Test
  void anUnusualConnectionStaysAtItsServer() throws IOException {
    String request =
        "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n";
    String last = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), both.port())) {
      client.getOutputStream().write((request + last).getBytes(UTF_8));
      String answers = new String(client.getInputStream().readAllBytes(), UTF_8);
      assertThat(answers).contains("firstbody").endsWith("first");
    }
    assertThat(both.requests()).isEqualTo(1);
  }
}
