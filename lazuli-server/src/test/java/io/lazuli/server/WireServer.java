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
 * A server with an empty store in memory, and one connection to one of its services. Requests are
 * those of the account's owner, of somebody with a shared access signature, or of anybody. Paths
 * begin below the account; headers are lines.
 */
public final class WireServer implements AutoCloseable {
  private static final String ACCOUNT = "devstoreaccount1";
  private static final AccountKey KEY = Account.development().keys().get(0);

  private final LazuliServer server;
  private final boolean ownsServer;
  private final int port;
  private final Signer signer;
  private RawConnection connection;

  /** Talks to the table service. */
  public WireServer() {
    this(inMemory(), LazuliServer::tablePort, true);
  }

  private WireServer(
      ServerConfig.Builder config, ToIntFunction<LazuliServer> service, boolean ofTables) {
    this(LazuliServer.start(config.freePorts().build()), true, service, ofTables);
  }

  private WireServer(
      LazuliServer server,
      boolean ownsServer,
      ToIntFunction<LazuliServer> service,
      boolean ofTables) {
    this.server = server;
    this.ownsServer = ownsServer;
    this.signer = new Signer(ofTables);
    this.port = service.applyAsInt(server);
    try {
      connection = new RawConnection(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Talks to the queue service. */
  public static WireServer ofQueues() {
    return new WireServer(inMemory(), LazuliServer::queuePort, false);
  }

  /** Talks to the blob service. */
  public static WireServer ofBlobs() {
    return new WireServer(inMemory(), LazuliServer::blobPort, false);
  }

  /** The same, with the time of {@link FixtureEngineProvider#CLOCK}. */
  public static WireServer ofBlobsWithClock() {
    ServerConfig.Builder config =
        ServerConfig.builder().engine("fixture").dataFolder(Path.of("clocked"));
    return new WireServer(config, LazuliServer::blobPort, false);
  }

  private static ServerConfig.Builder inMemory() {
    return ServerConfig.builder().engine("memory");
  }

  /** A connection to the table service of a server that is somebody else's. */
  public static WireServer onTables(LazuliServer server) {
    return new WireServer(server, false, LazuliServer::tablePort, true);
  }

  /** A connection to the queue service of a server that is somebody else's. */
  public static WireServer onQueues(LazuliServer server) {
    return new WireServer(server, false, LazuliServer::queuePort, false);
  }

  /** A connection to the blob service of a server that is somebody else's. */
  public static WireServer onBlobs(LazuliServer server) {
    return new WireServer(server, false, LazuliServer::blobPort, false);
  }

  /** Another connection, to the blob service of the same server, which this one closes. */
  public WireServer alsoBlobs() {
    return new WireServer(server, false, LazuliServer::blobPort, false);
  }

  public LazuliServer server() {
    return server;
  }

  public Answer owner(String method, String path, String body, String... headers) {
    return ownerOfBytes(method, path, Mutations.bytes(body), headers);
  }

  /** The same with a body that has one character for each byte. */
  public Answer ownerOfBytes(String method, String path, String body, String... headers) {
    return ask(method, path, body, signer.lines(method, path, headers), headers);
  }

  /** The header lines that prove a request to be the owner's. */
  public String credentials(String method, String path, String... headers) {
    return signer.lines(method, path, headers);
  }

  /**
   * Signs requests as the owner of the development account.
   *
   * @param ofTables true for the way in which the table service wants it
   */
  public record Signer(boolean ofTables) {
    public String lines(String method, String path, String... headers) {
      int query = path.indexOf("comp=");
      String component = query < 0 ? "" : "?" + path.substring(query).split("&", -1)[0];
      String date = HttpDate.format(Instant.now());
      String bare = path.split("\\?", -1)[0];
      String resource = "/" + ACCOUNT + "/" + ACCOUNT + bare + component;
      String signature =
          sign(
              ofTables
                  ? date + "\n" + resource
                  : method + "\n" + plain(headers) + "\n" + signed(date, headers) + resource);
      return "x-ms-date: "
          + date
          + "\r\nAuthorization: SharedKeyLite "
          + ACCOUNT
          + ":"
          + signature
          + "\r\n";
    }

    /** The other headers that the blob and queue services want to be signed. */
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

    /** The headers of the protocol, which the blob and queue services want to be signed. */
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

  /** Whoever holds the token: the query that a signature stands in. */
  public Answer holder(String token, String method, String path, String body, String... headers) {
    String separator = path.contains("?") ? "&" : "?";
    return ask(method, path + separator + token, Mutations.bytes(body), "", headers);
  }

  public Answer anybody(String method, String path, String body, String... headers) {
    return ask(method, path, Mutations.bytes(body), "", headers);
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

  /** A signature for one queue; terms as for a table. */
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
   * A signature for a container or a blob, valid until 2034 unless it takes its terms from a
   * policy.
   *
   * @param resource the container, or container and blob
   * @param terms name and value in turns; {@code sr} must be among them
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

  /** A signature for all tables of the account. */
  public static String accountToken(String types, String permissions) {
    return accountToken("t", types, permissions);
  }

  /** A signature for some services of the account. */
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

  /** Connects again when the server has hung up. */
  private Answer ask(
      String method, String path, String bytes, String credentials, String... headers) {
    StringBuilder request = new StringBuilder();
    request.append(method).append(" /").append(ACCOUNT).append(path).append(" HTTP/1.1\r\n");
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
