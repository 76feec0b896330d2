package io.lazuli.conformance.wire;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.StorageService;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds a request. It starts with the headers of an ordinary client, which a test may change. The
 * request is signed when it is sent, unless {@link Signing#NONE} is chosen. Used by one test.
 */
public final class WireRequest {

  public static final String VERSION = "2019-02-02";

  /**
   * A newer version, for the queue and blob services. In this version, they answer 401 to a request
   * without credentials.
   */
  public static final String NEWER_VERSION = "2021-12-02";

  public static final String MINIMAL = "application/json;odata=minimalmetadata";

  private final WireClient client;
  private final String method;
  private String target;
  private final List<Header> headers = new ArrayList<>();
  private byte[] body = new byte[0];
  private Signing signing = Signing.SHARED_KEY_LITE;
  private @Nullable String signedTarget;
  private String key;

  WireRequest(WireClient client, String method, String target) {
    this.client = client;
    this.method = method;
    this.target = target;
    this.key = client.account().key();
    headers.add(new Header("Host", host(client.account())));
    headers.add(new Header("x-ms-date", httpDate(Instant.now())));
    if (isForTables()) {
      headers.add(new Header("x-ms-version", VERSION));
      headers.add(new Header("Accept", MINIMAL));
    } else {
      headers.add(new Header("x-ms-version", NEWER_VERSION));
      signing = Signing.SHARED_KEY;
    }
  }

  /** Returns a time in the form of HTTP headers. */
  public static String httpDate(Instant time) {
    return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
        .format(time.atOffset(ZoneOffset.UTC));
  }

  static String host(Account account) {
    return account.endpoint().getRawAuthority();
  }

  /** Sets a header and removes others of the same name. */
  public WireRequest header(String name, String value) {
    return without(name).anotherHeader(name, value);
  }

  /** Adds a header line and keeps others of the same name. */
  public WireRequest anotherHeader(String name, String value) {
    headers.add(new Header(name, value));
    return this;
  }

  public WireRequest without(String name) {
    headers.removeIf(header -> header.isNamed(name));
    return this;
  }

  public WireRequest accept(String mediaType) {
    return header("Accept", mediaType);
  }

  public WireRequest ifMatch(String tag) {
    return header("If-Match", tag);
  }

  public WireRequest prefer(String preference) {
    return header("Prefer", preference);
  }

  public WireRequest body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  public WireRequest body(byte[] bytes) {
    body = bytes;
    if (find("Content-Type").isEmpty()) {
      header("Content-Type", isForTables() ? "application/json" : "application/xml");
    }
    return header("Content-Length", Integer.toString(bytes.length));
  }

  /** Sends the body in chunks of the given length, without Content-Length. */
  public WireRequest chunked(int chunkBytes) {
    StringBuilder chunks = new StringBuilder();
    String text = new String(body, StandardCharsets.ISO_8859_1);
    for (int at = 0; at < text.length(); at += chunkBytes) {
      String chunk = text.substring(at, Math.min(text.length(), at + chunkBytes));
      chunks
          .append(Integer.toHexString(chunk.length()))
          .append("\r\n")
          .append(chunk)
          .append("\r\n");
    }
    body = chunks.append("0\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    return without("Content-Length").header("Transfer-Encoding", "chunked");
  }

  public WireRequest signing(Signing scheme) {
    this.signing = scheme;
    return this;
  }

  /** Signs another target than the one that is sent. */
  public WireRequest signedFor(String otherTarget) {
    this.signedTarget = otherTarget;
    return this;
  }

  public WireRequest key(String otherKey) {
    this.key = otherKey;
    return this;
  }

  /** Uses a shared access signature instead of signing the request. */
  public WireRequest sas(SharedAccess access) {
    return sas(access.token());
  }

  /** Uses a shared access signature that is already a query string. */
  public WireRequest sas(String token) {
    target += (target.contains("?") ? "&" : "?") + token;
    return signing(Signing.NONE);
  }

  public Account account() {
    return client.account();
  }

  /**
   * Returns the whole signed request, for tests that send only part of it or send it themselves.
   */
  public byte[] bytes() {
    byte[] head = head().getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }

  public WireAnswer send() {
    return client.send(method, head(), body);
  }

  private boolean isForTables() {
    return client.account().service() == StorageService.TABLE;
  }

  private String head() {
    if (signing != Signing.NONE && find("Authorization").isEmpty()) {
      header("Authorization", signing.authorization(client.account().name(), key, signed()));
    }
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    headers.forEach(h -> head.append(h.name()).append(": ").append(h.value()).append("\r\n"));
    return head.append("\r\n").toString();
  }

  private Signing.Signed signed() {
    String covered = signedTarget == null ? target : signedTarget;
    return new Signing.Signed(client.account().service(), method, covered, headers);
  }

  private Optional<String> find(String name) {
    return headers.stream().filter(header -> header.isNamed(name)).map(Header::value).findFirst();
  }
}
