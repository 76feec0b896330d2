package io.lazuli.conformance.runner;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A table endpoint that gives the same answer to every request. There is only one at a time, so
 * that cases can stop it.
 */
final class EmptyTableServer {

  private static final Set<String> ACCOUNTS = ConcurrentHashMap.newKeySet();
  private static HttpServer server;
  private static String endpoint;
  private static volatile int status;

  private EmptyTableServer() {}

  static void start() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    status = 200;
    ACCOUNTS.clear();
    endpoint = "http://127.0.0.1:" + server.getAddress().getPort() + "/devstoreaccount1";
    server.createContext("/", EmptyTableServer::serve);
    server.start();
  }

  /** Stops the server. Stopping it twice is harmless. */
  static void stop() {
    server.stop(0);
  }

  static void answer(int other) {
    status = other;
  }

  static String endpoint() {
    return endpoint;
  }

  /** Returns the names of the accounts that signed requests. */
  static Set<String> accounts() {
    return Set.copyOf(ACCOUNTS);
  }

  private static void serve(HttpExchange exchange) throws IOException {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    ACCOUNTS.add(authorization.replaceFirst("\\w+ (\\w+):.*", "$1"));
    byte[] body = "{\"value\":[]}".getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Server", "Empty/1.0");
    exchange.sendResponseHeaders(status, body.length);
    try (exchange) {
      exchange.getResponseBody().write(body);
    }
  }
}
