package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signed requests to one service over one connection, which is opened again after it broke. The
 * client does as little work as possible, because it shares the machine with the server that is
 * measured. Used by one thread.
 */
final class SignedConnection implements AutoCloseable {
  static final String VERSION = "2019-02-02";

  static final String TYPE = "Content-Type";

  private static final String ACCESS_LIST = "?comp=acl";

  /** A request must end within this time, however long the cluster is away. */
  private static final int ANSWER_MILLIS_MAX = 120_000;

  private final Service service;
  private final URI endpoint;
  private final SecretKeySpec key;
  private @Nullable Socket socket;
  private InputStream in = InputStream.nullInputStream();
  private final Map<String, String> headers = new TreeMap<>();

  /**
   * @param endpoint the address of the service, with the name of the account as its path
   */
  SignedConnection(Service service, URI endpoint, byte[] key) {
    this.service = service;
    this.endpoint = endpoint;
    this.key = new SecretKeySpec(key, "HmacSHA256");
  }

  /**
   * Sends a request without further headers.
   *
   * @param path the path after the account, and the query. If the query is signed, the request is
   *     not
   */
  Answer send(String method, String path, String body) throws IOException {
    return send(method, path, Map.of(), body.getBytes(UTF_8));
  }

  /**
   * Sends a request and waits for the whole answer. Blocks.
   *
   * @param headers headers whose names begin with {@code x-ms-}, and the type of a body that is not
   *     JSON
   */
  Answer send(String method, String path, Map<String, String> headers, byte[] body)
      throws IOException {
    return send(method, path, headers, body, 1);
  }

  /** Sends a request whose body is the same bytes several times. */
  Answer send(String method, String path, Map<String, String> headers, byte[] body, int times)
      throws IOException {
    Map<String, String> signed = new TreeMap<>(headers);
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    signed.put("x-ms-date", date);
    signed.put("x-ms-version", VERSION);
    String target = endpoint.getPath() + path;
    StringBuilder head = new StringBuilder(512);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    header(head, "Host", endpoint.getAuthority());
    signed.forEach((name, value) -> header(head, name, value));
    String other = signed.remove(TYPE);
    String type = body.length == 0 ? "" : other == null ? "application/json" : other;
    if (!path.contains("&sig=")) {
      header(head, "Authorization", authorization(method, target, type, date, signed));
    }
    header(head, "Content-Length", String.valueOf((long) body.length * times));
    if (body.length > 0) {
      header(head, TYPE, type);
    }
    if (service == Service.TABLE) {
      header(head, "Accept", "application/json;odata=nometadata");
      header(head, "Prefer", "return-no-content");
    }
    return exchange(head.append("\r\n").toString().getBytes(UTF_8), body, times);
  }

  private static void header(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }

  private String authorization(
      String method, String target, String type, String date, Map<String, String> headers) {
    String account = endpoint.getPath().substring(1);
    String path = target.split("\\?", 2)[0];
    StringBuilder text = new StringBuilder(256);
    if (service == Service.TABLE) {
      text.append(date).append('\n');
    } else {
      text.append(method).append("\n\n").append(type).append("\n\n");
      headers.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
    }
    text.append('/').append(account).append(path);
    if (target.endsWith(ACCESS_LIST)) {
      text.append(ACCESS_LIST);
    }
    return "SharedKeyLite " + account + ":" + sign(text.toString(), key);
  }

  /** Returns the signature of a text, in Base64. */
  static String sign(String text, SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Answer exchange(byte[] head, byte[] body, int times) throws IOException {
    try {
      Socket open = socket == null ? open() : socket;
      byte[] whole = new byte[head.length + body.length];
      System.arraycopy(head, 0, whole, 0, head.length);
      System.arraycopy(body, 0, whole, head.length, body.length);
      open.getOutputStream().write(whole);
      for (int i = 1; i < times; i++) {
        open.getOutputStream().write(body);
      }
      return answer();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private Socket open() throws IOException {
    Socket opened = new Socket(endpoint.getHost(), endpoint.getPort());
    opened.setTcpNoDelay(true);
    opened.setSoTimeout(ANSWER_MILLIS_MAX);
    in = new BufferedInputStream(opened.getInputStream());
    socket = opened;
    return opened;
  }

  private Answer answer() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = 0;
    boolean inPieces = false;
    boolean last = false;
    headers.clear();
    for (String line = line(); !line.isEmpty(); line = line()) {
      String lower = line.toLowerCase(Locale.ROOT);
      int colon = line.indexOf(':');
      headers.put(lower.substring(0, colon), line.substring(colon + 1).strip());
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
      inPieces |= lower.equals("transfer-encoding: chunked");
      last |= lower.equals("connection: close");
    }
    Answer answer = new Answer(status, inPieces ? pieces() : bytes(length));
    if (last) {
      close();
    }
    return answer;
  }

  /** Returns a header of the last answer; empty if it has none of that name, in small letters. */
  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** Reads a body whose length was not known when its head was sent. */
  private byte[] pieces() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int length = Integer.parseInt(line(), 16);
    while (length > 0) {
      all.write(bytes(length));
      line();
      length = Integer.parseInt(line(), 16);
    }
    line();
    return all.toByteArray();
  }

  private byte[] bytes(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection was closed in a body");
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection was closed");
      }
      line.append((char) b);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    Socket open = socket;
    socket = null;
    if (open != null) {
      open.close();
    }
  }
}
