package io.lazuli.server;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.console.api.Route;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A server with an empty store and a browser's requests to its console: with the session of a role,
 * the origin and the header, unless a test leaves them out.
 */
public final class ConsoleClient implements AutoCloseable {
  public static final String ACCOUNT = "devstoreaccount1";

  private final LazuliServer server;

  public ConsoleClient() {
    this(ServerConfig.builder().engine("memory"));
  }

  public ConsoleClient(ServerConfig.Builder config) {
    server = LazuliServer.start(config.freePorts().build());
  }

  public LazuliServer server() {
    return server;
  }

  public List<Route> routes() {
    return server.console().routes();
  }

  /** Returns the value of the cookie of a new session. */
  public String session(Role role) {
    return server.console().signIn().begin(role.text(), role);
  }

  public String host() {
    return "127.0.0.1:" + server.adminPort();
  }

  /** Sends a request as an administrator. Paths begin after the account. */
  public Answer admin(String method, String path, String body, String... headers) {
    return as(Role.ADMIN, method, "/api/v1/accounts/" + ACCOUNT + path, body, headers);
  }

  /** Sends a request with a session, as the console's page does. */
  public Answer as(Role role, String method, String path, String body, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Cookie: lazuli=" + session(role));
    all.add("Origin: http://" + host());
    all.add("X-Lazuli-Console: 1");
    return raw(method, path, body, all.toArray(String[]::new));
  }

  /** Sends a request with exactly these headers and the right host. */
  public Answer raw(String method, String path, String body, String... headers) {
    return rawWithHost(host(), method, path, body, headers);
  }

  public Answer rawWithHost(
      String host, String method, String path, String body, String... headers) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    head.append("Host: ").append(host).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
    try (RawConnection connection = new RawConnection(server.adminPort())) {
      connection.send(head.toString().getBytes(StandardCharsets.ISO_8859_1));
      connection.send(bytes);
      return method.equals("HEAD") ? connection.answerWithoutBody() : connection.answer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public void close() {
    server.close();
  }
}
