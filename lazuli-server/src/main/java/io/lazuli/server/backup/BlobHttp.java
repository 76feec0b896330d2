package io.lazuli.server.backup;

import io.lazuli.server.account.AccountKey;
import io.lazuli.server.http.HttpDate;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A small client of the blob service, for one container of any account. It signs with an account's
 * key (SharedKeyLite, auth 3) or appends a shared access signature. It repeats a request that the
 * server was too busy for, because all of them may be repeated. Thread-safe.
 */
final class BlobHttp {
  private static final String VERSION = "2021-12-02";
  private static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(20);
  private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(3);
  private static final int ATTEMPTS = 4;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private final URI container;
  private final String query;
  private final String account;
  private final @Nullable AccountKey key;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT_TIME_MAX)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  private BlobHttp(URI container, String query, String account, @Nullable AccountKey key) {
    this.container = container;
    this.query = query;
    this.account = account;
    this.key = key;
  }

  /**
   * Uses the URL of a container with a shared access signature.
   *
   * @throws BackupException if the URL is not valid
   */
  static BlobHttp ofUrl(String url) {
    try {
      URI whole = URI.create(url);
      String signature = whole.getRawQuery();
      if (whole.getHost() == null || signature == null || !signature.contains("sig=")) {
        throw new BackupException("the URL of a container needs a shared access signature");
      }
      String bare = url.substring(0, url.indexOf('?')).replaceAll("/+$", "");
      return new BlobHttp(URI.create(bare), signature, "", null);
    } catch (IllegalArgumentException e) {
      throw new BackupException("the URL of the container is not valid");
    }
  }

  /**
   * Uses a connection string with one more part, {@code Container=NAME}.
   *
   * @throws BackupException if a part is missing
   */
  static BlobHttp ofConnectionString(String text) {
    Map<String, String> parts = new HashMap<>();
    for (String part : text.split(";", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parts.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    String account = require(parts, "AccountName");
    String endpoint = parts.get("BlobEndpoint");
    if (endpoint == null) {
      endpoint =
          parts.getOrDefault("DefaultEndpointsProtocol", "https")
              + "://"
              + account
              + ".blob."
              + parts.getOrDefault("EndpointSuffix", "core.windows.net");
    }
    try {
      return new BlobHttp(
          URI.create(endpoint.replaceAll("/+$", "") + "/" + require(parts, "Container")),
          "",
          account,
          new AccountKey(require(parts, "AccountKey")));
    } catch (IllegalArgumentException e) {
      throw new BackupException("the connection string is not valid");
    }
  }

  private static String require(Map<String, String> parts, String name) {
    String value = parts.get(name);
    if (value == null || value.isEmpty()) {
      throw new BackupException("the connection string has no " + name);
    }
    return value;
  }

  /** Returns the URL of the container without the signature. */
  String place() {
    return container.toString();
  }

  /**
   * Sends a request and returns its answer, whatever the status.
   *
   * @param blob the blob; empty for the container itself
   * @param parameters the query, for example {@code comp=list}; empty for none
   * @param body null for none
   * @param headers the headers of the protocol
   */
  HttpResponse<InputStream> send(
      String method,
      String blob,
      String parameters,
      byte @Nullable [] body,
      Map<String, String> headers)
      throws IOException {
    Duration pause = FIRST_PAUSE;
    for (int attempt = 1; ; attempt++) {
      try {
        HttpResponse<InputStream> answer =
            http.send(
                request(method, blob, parameters, body, headers), BodyHandlers.ofInputStream());
        boolean busy = answer.statusCode() >= 500 || answer.statusCode() == 429;
        if (!busy || attempt == ATTEMPTS) {
          return answer;
        }
        answer.body().close();
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw new IOException(container + " does not answer: " + e, e);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      LockSupport.parkNanos(pause.toNanos());
      pause = pause.multipliedBy(2);
    }
  }

  private HttpRequest request(
      String method,
      String blob,
      String parameters,
      byte @Nullable [] body,
      Map<String, String> headers) {
    String path = container.getRawPath() + (blob.isEmpty() ? "" : "/" + blob);
    String all =
        parameters.isEmpty() || query.isEmpty() ? parameters + query : parameters + "&" + query;
    URI target = container.resolve(path + (all.isEmpty() ? "" : "?" + all));
    TreeMap<String, String> signed = new TreeMap<>(headers);
    signed.put("x-ms-version", VERSION);
    signed.put("x-ms-date", HttpDate.format(Instant.now()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .timeout(ANSWER_TIME_MAX)
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    signed.forEach(request::header);
    if (key != null) {
      request.header("Authorization", authorization(key, method, path, parameters, signed));
    }
    return request.build();
  }

  private String authorization(
      AccountKey with,
      String method,
      String path,
      String parameters,
      SortedMap<String, String> headers) {
    StringBuilder text = new StringBuilder(method).append("\n\n\n\n");
    headers.forEach(
        (name, value) -> {
          if (name.toLowerCase(Locale.ROOT).startsWith("x-ms-")) {
            text.append(name).append(':').append(value).append('\n');
          }
        });
    text.append('/').append(account).append(path);
    for (String parameter : List.of(parameters.split("&", -1))) {
      if (parameter.startsWith("comp=")) {
        text.append('?').append(parameter);
      }
    }
    byte[] signature = with.sign(text.toString().getBytes(StandardCharsets.UTF_8));
    return "SharedKeyLite " + account + ":" + Base64.getEncoder().encodeToString(signature);
  }
}
