package io.lazuli.transfer.http;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests with the key of the account (auth 2). */
final class SharedKey {
  private static final List<String> SIGNED_HEADERS =
      List.of(
          "content-encoding",
          "content-language",
          "content-length",
          "content-md5",
          "content-type",
          "date",
          "if-modified-since",
          "if-match",
          "if-none-match",
          "if-unmodified-since",
          "range");

  private SharedKey() {}

  /** Returns the value of the header {@code Authorization}. */
  static String authorization(Endpoint endpoint, Call call, Map<String, String> headers) {
    boolean table = endpoint.kind() == StorageKind.TABLE;
    String text = table ? tableText(endpoint, call, headers) : text(endpoint, call, headers);
    return (table ? "SharedKeyLite " : "SharedKey ")
        + endpoint.account()
        + ":"
        + hmac(Objects.requireNonNull(endpoint.key()), text);
  }

  private static String tableText(Endpoint endpoint, Call call, Map<String, String> headers) {
    String comp = call.query().get("comp");
    return headers.get("x-ms-date")
        + "\n"
        + resource(endpoint, call)
        + (comp == null ? "" : "?comp=" + comp);
  }

  private static String text(Endpoint endpoint, Call call, Map<String, String> headers) {
    StringBuilder text = new StringBuilder(call.method()).append('\n');
    for (String name : SIGNED_HEADERS) {
      if (name.equals("content-length")) {
        text.append(call.length() == 0 ? "" : Long.toString(call.length()));
      } else {
        text.append(headers.getOrDefault(name, ""));
      }
      text.append('\n');
    }
    // Names of metadata keep their case in the request, but not in its signature.
    Map<String, String> own = new TreeMap<>();
    headers.forEach((name, value) -> own.put(name.toLowerCase(Locale.ROOT), value.strip()));
    own.forEach(
        (name, value) -> {
          if (name.startsWith("x-ms-")) {
            text.append(name).append(':').append(value).append('\n');
          }
        });
    text.append(resource(endpoint, call));
    Map<String, String> query = new TreeMap<>();
    call.query().forEach((name, value) -> query.put(name.toLowerCase(Locale.ROOT), value));
    query.forEach((name, value) -> text.append('\n').append(name).append(':').append(value));
    return text.toString();
  }

  private static String resource(Endpoint endpoint, Call call) {
    return "/" + endpoint.account() + endpoint.basePath() + call.path();
  }

  private static String hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }
}
