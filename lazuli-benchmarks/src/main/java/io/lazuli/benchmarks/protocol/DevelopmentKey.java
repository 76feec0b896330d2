package io.lazuli.benchmarks.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The development account's key, which is public and which Lazuli and Azurite both accept. Not
 * thread-safe.
 */
final class DevelopmentKey {
  static final String ACCOUNT = "devstoreaccount1";

  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private final Mac mac;

  DevelopmentKey() {
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), mac.getAlgorithm()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK does not have HmacSHA256", e);
    }
  }

  /** Returns the Authorization header for a text, for the schemes that sign this way. */
  String authorization(String scheme, String text) {
    byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    return scheme + " " + ACCOUNT + ":" + Base64.getEncoder().encodeToString(signature);
  }
}
