package io.lazuli.server;

import io.lazuli.server.account.AccountKey;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;

/**
 * A client with a key of some account. It uses one connection per request. Paths begin below the
 * account.
 */
public final class AccountClient {
  private static final String EXPIRY = "2034-01-01";

  private final int port;
  private final String account;
  private final AccountKey key;

  public AccountClient(int port, String account, AccountKey key) {
    this.port = port;
    this.account = account;
    this.key = key;
  }

  public String name() {
    return account;
  }

  public Answer get(String path) {
    return ask("GET", path, "");
  }

  public Answer createTable(String name) {
    return ask("POST", "/Tables", "{\"TableName\":\"" + name + "\"}");
  }

  /** Inserts an entity with one property. */
  public Answer insert(String table, String row, String text) {
    return ask(
        "POST",
        "/" + table,
        "{\"PartitionKey\":\"p\",\"RowKey\":\"" + row + "\",\"Text\":\"" + text + "\"}");
  }

  /** Sends a request that is signed with SharedKeyLite. */
  public Answer ask(String method, String path, String body) {
    String date = HttpDate.format(Instant.now());
    String bare = path.split("\\?", -1)[0];
    String component = path.endsWith("comp=properties") ? "?comp=properties" : "";
    String signature = sign(date + "\n/" + account + "/" + account + bare + component);
    return send(
        method,
        path,
        body,
        "x-ms-date: "
            + date
            + "\r\nAuthorization: SharedKeyLite "
            + account
            + ":"
            + signature
            + "\r\n");
  }

  /** Sends a request with a token. */
  public Answer holder(String method, String path, String token) {
    return send(method, path + (path.contains("?") ? "&" : "?") + token, "", "");
  }

  /** Sends the request that a browser makes before it lets a page read. */
  public Answer preflight(String path) {
    return send("OPTIONS", path, "", "Origin: http://a\r\nAccess-Control-Request-Method: GET\r\n");
  }

  public Answer anybody(String method, String path) {
    return send(method, path, "", "");
  }

  /** Returns a token that permits reading one table. */
  public String tableToken(String table) {
    String resource = "/table/" + account + "/" + table.toLowerCase(Locale.ROOT);
    String text = "r\n\n" + EXPIRY + "\n" + resource + "\n\n\n\n2019-02-02\n\n\n\n";
    return "sv=2019-02-02&sp=r&se=" + EXPIRY + "&tn=" + table + "&sig=" + encoded(sign(text));
  }

  public String sign(String text) {
    return Base64.getEncoder().encodeToString(key.sign(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Answer send(String method, String path, String body, String credentials) {
    try (RawConnection connection = new RawConnection(port)) {
      return connection.ask(
          method
              + " /"
              + account
              + path
              + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
              + "Content-Type: application/json\r\n"
              + credentials
              + "Content-Length: "
              + body.length()
              + "\r\n\r\n"
              + body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
