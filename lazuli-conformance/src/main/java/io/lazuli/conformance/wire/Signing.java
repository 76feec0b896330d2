package io.lazuli.conformance.wire;

import io.lazuli.conformance.StorageService;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How a request is signed: with one of the two shared-key schemes, or not at all. The table service
 * has its own strings to sign (auth 3); the other services share theirs (auth 2, queue-rest 3).
 */
public enum Signing {
  SHARED_KEY,
  SHARED_KEY_LITE,
  NONE;

  /**
   * The headers that come before the date in the string to sign of SharedKey. The table service
   * signs fewer headers.
   */
  private static final List<String> COVERED_BEFORE_DATE =
      List.of(
          "Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type");

  private static final List<String> COVERED_AFTER_DATE =
      List.of("If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range");

  /** Returns the signature of a request. */
  public String signature(String account, String key, Signed request) {
    return hmac(key, text(account, request));
  }

  String authorization(String account, String key, Signed request) {
    String scheme = this == SHARED_KEY ? "SharedKey " : "SharedKeyLite ";
    return scheme + account + ":" + signature(account, key, request);
  }

  /** A request as it is sent. The target is the raw target of the request line. */
  public record Signed(StorageService service, String verb, String target, List<Header> headers) {

    public Signed {
      headers = List.copyOf(headers);
    }

    /** Returns the value of a header, or an empty string if it is absent. */
    String header(String name) {
      return headers.stream()
          .filter(header -> header.isNamed(name))
          .map(Header::value)
          .findFirst()
          .orElse("");
    }

    String path() {
      int mark = target.indexOf('?');
      String path = mark < 0 ? target : target.substring(0, mark);
      return path.isEmpty() ? "/" : path;
    }

    List<String> parameters() {
      int mark = target.indexOf('?');
      return mark < 0 ? List.of() : List.of(target.substring(mark + 1).split("&", -1));
    }
  }

  private String text(String account, Signed request) {
    if (request.service() == StorageService.TABLE) {
      return tableText(account, request);
    }
    return this == SHARED_KEY ? sharedKeyText(account, request) : liteText(account, request);
  }

  private String tableText(String account, Signed request) {
    String given = request.header("x-ms-date");
    String date = given.isEmpty() ? request.header("Date") : given;
    String text = date + "\n" + shortResource(account, request);
    return this == SHARED_KEY
        ? String.join(
            "\n",
            request.verb(),
            request.header("Content-MD5"),
            request.header("Content-Type"),
            text)
        : text;
  }

  private static String sharedKeyText(String account, Signed request) {
    List<String> lines = new ArrayList<>(List.of(request.verb()));
    COVERED_BEFORE_DATE.forEach(name -> lines.add(request.header(name)));
    if (request.header("Content-Length").equals("0")) {
      lines.set(1 + COVERED_BEFORE_DATE.indexOf("Content-Length"), "");
    }
    lines.add(date(request));
    COVERED_AFTER_DATE.forEach(name -> lines.add(request.header(name)));
    lines.add(canonicalHeaders(request) + fullResource(account, request));
    return String.join("\n", lines);
  }

  private static String liteText(String account, Signed request) {
    return String.join(
        "\n",
        request.verb(),
        request.header("Content-MD5"),
        request.header("Content-Type"),
        date(request),
        canonicalHeaders(request) + shortResource(account, request));
  }

  private static String date(Signed request) {
    return request.header("x-ms-date").isEmpty() ? request.header("Date") : "";
  }

  private static String canonicalHeaders(Signed request) {
    Map<String, String> sorted = new TreeMap<>();
    for (Header header : request.headers()) {
      String name = header.name().toLowerCase(Locale.ROOT);
      if (name.startsWith("x-ms-")) {
        sorted.put(name, header.value().strip());
      }
    }
    StringBuilder text = new StringBuilder();
    sorted.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
    return text.toString();
  }

  /** Returns the path with {@code comp} as its only parameter. */
  private static String shortResource(String account, Signed request) {
    StringBuilder resource = new StringBuilder("/").append(account).append(request.path());
    for (String parameter : request.parameters()) {
      if (parameter.startsWith("comp=")) {
        resource.append('?').append(parameter);
      }
    }
    return resource.toString();
  }

  /** Returns the path with every parameter on its own line; the values of one name are joined. */
  private static String fullResource(String account, Signed request) {
    Map<String, List<String>> sorted = new TreeMap<>();
    for (String parameter : request.parameters()) {
      String[] pair = parameter.split("=", 2);
      String name = decoded(pair[0]).toLowerCase(Locale.ROOT);
      String value = pair.length < 2 ? "" : decoded(pair[1]);
      sorted.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }
    StringBuilder resource = new StringBuilder("/").append(account).append(request.path());
    sorted.forEach(
        (name, values) -> {
          values.sort(null);
          resource.append('\n').append(name).append(':').append(String.join(",", values));
        });
    return resource.toString();
  }

  /** Decodes percent-encoded text. A plus sign stays a plus sign. */
  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Returns the HMAC-SHA256 of a text with the account's key, in Base64. All schemes use it. */
  static String hmac(String key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
