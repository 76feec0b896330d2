package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * A server with an empty in-memory store, and one connection to one of its services. Requests come
 * from the account's owner, from the holder of a shared access signature, or from an anonymous
 * caller. Paths begin below the account; headers are lines.
 */
public final class WireServer implements AutoCloseable {
  private static final String ACCOUNT = "devstoreaccount1";
  private static final AccountKey KEY = Account.development().keys().get(0);

  private final LazuliServer server;
  private final boolean ownsServer;
  private final int port;
  private final Signer signer;
  private RawConnection connection;

  /** Connects to the table service. */
  public WireServer() {
    this(inMemory(), LazuliServer::tablePort, true);
  }

  private WireServer(
      ServerConfig.Builder config, ToIntFunction<LazuliServer> service, boolean ofTables) {
    this(LazuliServer.start(config.freePorts().build()), true, service, new Signer(ofTables));
  }

  private WireServer(
      LazuliServer server, boolean ownsServer, ToIntFunction<LazuliServer> service, Signer signer) {
    this.server = server;
    this.ownsServer = ownsServer;
    this.signer = signer;
    this.port = service.applyAsInt(server);
    try {
      connection = new RawConnection(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connects to the queue service of a new server. */
  public static WireServer ofQueues() {
    return new WireServer(inMemory(), LazuliServer::queuePort, false);
  }

  /** Connects to the blob service of a new server. */
  public static WireServer ofBlobs() {
    return new WireServer(inMemory(), LazuliServer::blobPort, false);
  }

  /** Like {@link #ofBlobs}, with the time of {@link FixtureEngineProvider#CLOCK}. */
  public static WireServer ofBlobsWithClock() {
    ServerConfig.Builder config =
        ServerConfig.builder().engine("fixture").dataFolder(Path.of("target", "clocked"));
    return new WireServer(config, LazuliServer::blobPort, false);
  }

  /** Starts a server whose account has blob versions. */
  public static WireServer ofBlobVersions() {
    return new WireServer(inMemory().blobVersioning(true), LazuliServer::blobPort, false);
  }

  /** Starts a server whose account has versions with policies, with the time of the fixture. */
  public static WireServer ofImmutability() {
    ServerConfig.Builder config =
        ServerConfig.builder().engine("fixture").dataFolder(Path.of("target", "clocked"));
    return new WireServer(
        config.blobVersioning(true).blobImmutability(true), LazuliServer::blobPort, false);
  }

  private static ServerConfig.Builder inMemory() {
    return ServerConfig.builder().engine("memory");
  }

  /** Connects to the table service of an existing server, which it does not close. */
  public static WireServer onTables(LazuliServer server) {
    return new WireServer(server, false, LazuliServer::tablePort, new Signer(true));
  }

  /** Connects to the queue service of an existing server, which it does not close. */
  public static WireServer onQueues(LazuliServer server) {
    return new WireServer(server, false, LazuliServer::queuePort, new Signer(false));
  }

  /** Connects to the blob service of an existing server, which it does not close. */
  public static WireServer onBlobs(LazuliServer server) {
    return new WireServer(server, false, LazuliServer::blobPort, new Signer(false));
  }

  /** Like {@link #onBlobs(LazuliServer)}, as the owner of another account. */
  public static WireServer onBlobs(LazuliServer server, String account, AccountKey key) {
    return new WireServer(server, false, LazuliServer::blobPort, new Signer(false, account, key));
  }

  /**
   * Opens another connection, to the blob service of the same server. Only this object closes the
   * server.
   */
  public WireServer alsoBlobs() {
    return new WireServer(server, false, LazuliServer::blobPort, new Signer(false));
  }

  /** Returns a text as a value in a query. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Waits for every answer on this connection until the test ends. */
  public WireServer waitForever() {
    try {
      connection.waitForever();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public LazuliServer server() {
    return server;
  }

  public Answer owner(String method, String path, String body, String... headers) {
    return ownerOfBytes(method, path, Mutations.bytes(body), headers);
  }

  /** Like {@link #owner}, with a body that has one character per byte. */
  public Answer ownerOfBytes(String method, String path, String body, String... headers) {
    return ask(method, path, body, signer.lines(method, path, headers), headers);
  }

  /** Returns the header lines that authenticate the owner. */
  public String credentials(String method, String path, String... headers) {
    return signer.lines(method, path, headers);
  }

  /**
   * Signs requests as the owner of an account.
   *
   * @param ofTables true for the form of the table service
   */
  public record Signer(boolean ofTables, String account, AccountKey key) {
    /** Signs as the owner of the development account. */
    public Signer(boolean ofTables) {
      this(ofTables, ACCOUNT, KEY);
    }

    public String lines(String method, String path, String... headers) {
      int query = path.indexOf("comp=");
      String component = query < 0 ? "" : "?" + path.substring(query).split("&", -1)[0];
      String date = HttpDate.format(Instant.now());
      String bare = path.split("\\?", -1)[0];
      String resource = "/" + account + "/" + account + bare + component;
      String signature =
          sign(
              key,
              ofTables
                  ? date + "\n" + resource
                  : method + "\n" + plain(headers) + "\n" + signed(date, headers) + resource);
      return "x-ms-date: "
          + date
          + "\r\nAuthorization: SharedKeyLite "
          + account
          + ":"
          + signature
          + "\r\n";
    }

    /** Returns the other headers that the blob and queue services sign. */
    private static String plain(String... headers) {
      StringBuilder text = new StringBuilder();
      for (String name : new String[] {"content-md5:", "content-type:"}) {
        for (String header : headers) {
          if (header.toLowerCase(Locale.ROOT).startsWith(name)) {
            text.append(header.substring(name.length()).strip());
          }
        }
        text.append('\n');
      }
      return text.toString();
    }

    /** Returns the protocol's headers, which the blob and queue services sign. */
    private static String signed(String date, String... headers) {
      TreeMap<String, String> signed = new TreeMap<>(Map.of("x-ms-date", date));
      for (String header : headers) {
        int colon = header.indexOf(':');
        String name = header.substring(0, colon).toLowerCase(Locale.ROOT);
        if (name.startsWith("x-ms-")) {
          signed.put(name, header.substring(colon + 1).strip());
        }
      }
      StringBuilder text = new StringBuilder();
      signed.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
      return text.toString();
    }
  }

  /** Sends a request with a token, which is the query that contains a signature. */
  public Answer holder(String token, String method, String path, String body, String... headers) {
    String separator = path.contains("?") ? "&" : "?";
    return ask(method, path + separator + token, Mutations.bytes(body), "", headers);
  }

  public Answer anybody(String method, String path, String body, String... headers) {
    return ask(method, path, Mutations.bytes(body), "", headers);
  }

  /**
   * Returns a signature for one table, valid until 2034 unless it refers to a policy.
   *
   * @param terms names and values, alternating: {@code sp}, {@code si}, {@code spk} and so on
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

  /** Returns a signature for one queue, with terms as for a table. */
  public static String queueToken(String queue, String... terms) {
    Map<String, String> token = token(terms);
    if (!token.containsKey("si")) {
      token.put("se", "2034-01-01");
    }
    StringBuilder text = new StringBuilder();
    for (String name : "sp st se queue si sip spr".split(" ", -1)) {
      text.append(
              name.equals("queue")
                  ? "/queue/" + ACCOUNT + "/" + queue
                  : token.getOrDefault(name, ""))
          .append('\n');
    }
    return query(token, text + token.get("sv"));
  }

  /**
   * Returns a signature for a container or a blob, valid until 2034 unless it refers to a policy.
   *
   * @param resource the container, or container and blob
   * @param terms names and values, alternating; {@code sr} must be among them
   */
  public static String blobToken(String resource, String... terms) {
    Map<String, String> token = token(terms);
    token.put("sv", "2025-01-05");
    if (!token.containsKey("si")) {
      token.put("se", "2034-01-01");
    }
    StringJoiner text = new StringJoiner("\n");
    for (String name :
        "sp st se blob si sip spr sv sr snapshot ses rscc rscd rsce rscl rsct".split(" ", -1)) {
      text.add(
          name.equals("blob") ? "/blob/" + ACCOUNT + "/" + resource : token.getOrDefault(name, ""));
    }
    return query(token, text.toString());
  }

  /** Returns a signature for all tables of the account. */
  public static String accountToken(String types, String permissions) {
    return accountToken("t", types, permissions);
  }

  /** Returns a signature for some services of the account. */
  public static String accountToken(String services, String types, String permissions) {
    Map<String, String> token = token("ss", services, "srt", types, "sp", permissions);
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
    token.put("sig", sign(KEY, text));
    StringBuilder query = new StringBuilder();
    token.forEach(
        (name, value) ->
            query
                .append(query.isEmpty() ? "" : "&")
                .append(name)
                .append('=')
                .append(encoded(value)));
    return query.toString();
  }

  private static String sign(AccountKey key, String text) {
    return Base64.getEncoder().encodeToString(key.sign(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Sends a request. Reconnects when the server has closed the connection. */
  private Answer ask(
      String method, String path, String bytes, String credentials, String... headers) {
    StringBuilder request = new StringBuilder();
    request
        .append(method)
        .append(" /")
        .append(signer.account())
        .append(path)
        .append(" HTTP/1.1\r\n");
    request.append("Host: localhost\r\n").append(credentials);
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    request.append("Content-Length: ").append(bytes.length()).append("\r\n\r\n").append(bytes);
    try {
      connection.send(request.toString());
      Answer answer = method.equals("HEAD") ? connection.answerWithoutBody() : connection.answer();
      if ("close".equals(answer.header("Connection"))) {
        connection.close();
        connection = new RawConnection(port);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
    if (ownsServer) {
      server.close();
    }
  }
}
