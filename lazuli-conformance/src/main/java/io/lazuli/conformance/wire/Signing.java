package io.lazuli.conformance.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** How a request proves who sends it: the two shared-key schemes of the table service, or not. */
public enum Signing {
  SHARED_KEY,
  SHARED_KEY_LITE,
  NONE;

  /**
   * The signature over what the scheme covers. The path is the raw one of the request line, the
   * query the raw text behind the question mark.
   */
  public String signature(String account, String key, Signed request) {
    String toSign = request.date() + "\n" + canonicalizedResource(account, request);
    if (this == SHARED_KEY) {
      toSign =
          String.join("\n", request.verb(), request.contentMd5(), request.contentType(), toSign);
    }
    return hmac(key, toSign);
  }

  String authorization(String account, String key, Signed request) {
    String scheme = this == SHARED_KEY ? "SharedKey " : "SharedKeyLite ";
    return scheme + account + ":" + signature(account, key, request);
  }

  /** The parts of a request that a signature can cover; absent headers are empty. */
  public record Signed(
      String verb, String target, String contentMd5, String contentType, String date) {}

  private static String canonicalizedResource(String account, Signed request) {
    int mark = request.target().indexOf('?');
    String path = mark < 0 ? request.target() : request.target().substring(0, mark);
    String query = mark < 0 ? "" : request.target().substring(mark + 1);
    StringBuilder resource = new StringBuilder("/").append(account);
    resource.append(path.isEmpty() ? "/" : path);
    for (String parameter : query.split("&", -1)) {
      if (parameter.startsWith("comp=")) {
        resource.append('?').append(parameter);
      }
    }
    return resource.toString();
  }

  /** The signature of every scheme: HMAC-SHA256 with the account's key, in Base64. */
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
