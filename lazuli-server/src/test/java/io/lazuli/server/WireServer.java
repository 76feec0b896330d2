package io.lazuli.server;

import io.lazuli.server.account.Account;
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
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A server with an empty store in memory, and one connection to it. Requests are those of the
 * account's owner, of somebody with a shared access signature, or of anybody. Paths begin below the
 * account; headers are lines.
 */
public final class WireServer implements AutoCloseable {
  private static final String ACCOUNT = "devstoreaccount1";
  private static final AccountKey KEY = Account.development().keys().get(0);

  private final LazuliServer server =
      LazuliServer.start(ServerConfig.builder().engine("memory").freePorts().build());
  private final RawConnection connection = connect();

  private RawConnection connect() {
    try {
      return new RawConnection(server.tablePort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Answer owner(String method, String path, String body, String... headers) {
    int query = path.indexOf("comp=");
    String component = query < 0 ? "" : "?" + path.substring(query).split("&", -1)[0];
    String date = HttpDate.format(Instant.now());
    String bare = path.split("\\?", -1)[0];
    String signature = sign(date + "\n/" + ACCOUNT + "/" + ACCOUNT + bare + component);
    String credentials =
        "x-ms-date: "
            + date
            + "\r\nAuthorization: SharedKeyLite "
            + ACCOUNT
            + ":"
            + signature
            + "\r\n";
    return ask(method, path, body, credentials, headers);
  }

  /** Whoever holds the token: the query that a signature stands in. */
  public Answer holder(String token, String method, String path, String body, String... headers) {
    String separator = path.contains("?") ? "&" : "?";
    return ask(method, path + separator + token, body, "", headers);
  }

  public Answer anybody(String method, String path, String body, String... headers) {
    return ask(method, path, body, "", headers);
  }

  /**
   * A signature for one table, valid until 2034 unless it takes its terms from a policy.
   *
   * @param terms name and value in turns: {@code sp}, {@code si}, {@code spk} and so on
   */
  public static String tableToken(String table, String... terms) {
    Map<String, String> token = token(terms);
    token.put("tn", table);
    if (!token.containsKey("si")) {
      token.put("se", "2034-01-01");
    }
    StringBuilder text = new StringBuilder();
    for (String name : "sp st se tn si sip spr sv spk srk epk erk".split(" ", -1)) {
      String value = token.getOrDefault(name, "");
      text.append(
          name.equals("tn") ? "/table/" + ACCOUNT + "/" + table.toLowerCase(Locale.ROOT) : value);
      text.append(name.equals("erk") ? "" : "\n");
    }
    return query(token, text.toString());
  }

  /** A signature for all tables of the account. */
  public static String accountToken(String types, String permissions) {
    Map<String, String> token = token("ss", "t", "srt", types, "sp", permissions);
    token.put("se", "2034-01-01");
    StringBuilder text = new StringBuilder(ACCOUNT).append('\n');
    for (String name : "sp ss srt st se sip spr sv".split(" ", -1)) {
      text.append(token.getOrDefault(name, "")).append('\n');
    }
    return query(token, text.toString());
  }

  private static Map<String, String> token(String... terms) {
    Map<String, String> token = new LinkedHashMap<>();
    token.put("sv", "2019-02-02");
    for (int i = 0; i < terms.length; i += 2) {
      token.put(terms[i], terms[i + 1]);
    }
    return token;
  }

  private static String query(Map<String, String> token, String text) {
    token.put("sig", sign(text));
    StringBuilder query = new StringBuilder();
    token.forEach(
        (name, value) ->
            query
                .append(query.isEmpty() ? "" : "&")
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return query.toString();
  }

  private static String sign(String text) {
    return Base64.getEncoder().encodeToString(KEY.sign(text.getBytes(StandardCharsets.UTF_8)));
  }

  private Answer ask(
      String method, String path, String body, String credentials, String... headers) {
    StringBuilder request = new StringBuilder();
    request.append(method).append(" /").append(ACCOUNT).append(path).append(" HTTP/1.1\r\n");
    request.append("Host: localhost\r\n").append(credentials);
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    // The connection sends one byte per character.
    String bytes = new String(body.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    request.append("Content-Length: ").append(bytes.length()).append("\r\n\r\n").append(bytes);
    try {
      return connection.ask(request.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
    server.close();
  }
}
