package io.lazuli.benchmarks.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs table requests for one account at one moment. The server accepts the date for fifteen
 * minutes, so a signer is made anew for each round. Not safe for several threads.
 */
final class SharedKeyLite {
  /** The development account, which Lazuli and Azurite both know. Its key is public. */
  static final String ACCOUNT = "devstoreaccount1";

  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private final String date;
  private final Mac mac;

  SharedKeyLite(String date) {
    this.date = date;
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), mac.getAlgorithm()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  String date() {
    return date;
  }

  /** The Authorization header for a path as it is sent, without its query. */
  String authorization(String path) {
    String text = date + "\n/" + ACCOUNT + path;
    byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    return "SharedKeyLite " + ACCOUNT + ":" + Base64.getEncoder().encodeToString(signature);
  }
}
