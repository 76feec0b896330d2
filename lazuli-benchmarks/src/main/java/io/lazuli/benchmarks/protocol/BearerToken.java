package io.lazuli.benchmarks.protocol;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An issuer of tokens with a key of its own. */
public final class BearerToken {
  public static final String ISSUER = "https://issuer.example/benchmarks";
  public static final String SUBJECT = "driver";

  private static final int KEY_BITS = 2_048;
  private static final int SECONDS = 12 * 3_600;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final KeyPair pair;

  public BearerToken() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(KEY_BITS);
      pair = generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has RSA", e);
    }
  }

  /** Returns the published key, as a JSON Web Key Set. */
  public String keys() {
    RSAPublicKey key = (RSAPublicKey) pair.getPublic();
    return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"one\",\"n\":\"%s\",\"e\":\"%s\"}]}"
        .formatted(number(key.getModulus()), number(key.getPublicExponent()));
  }

  private static String number(BigInteger value) {
    byte[] bytes = value.toByteArray();
    int from = bytes[0] == 0 ? 1 : 0;
    return BASE64.encodeToString(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  /** Returns a token for tables, about as long as those of Entra, of a member of some groups. */
  public String token(int groups) {
    long now = Instant.now().getEpochSecond();
    String members =
        IntStream.range(0, groups)
            .mapToObj(i -> "\"" + new UUID(i, i) + "\"")
            .collect(Collectors.joining(","));
    String claims =
        ("{\"iss\":\"%s\",\"aud\":\"https://storage.azure.com\",\"sub\":\"%s\",\"iat\":%d,"
                + "\"nbf\":%d,\"exp\":%d,\"oid\":\"%s\",\"appid\":\"%s\",\"note\":\"%s\","
                + "\"groups\":[%s]}")
            .formatted(
                ISSUER,
                SUBJECT,
                now,
                now,
                now + SECONDS,
                new UUID(1, 2),
                new UUID(3, 4),
                "x".repeat(600),
                members);
    String text =
        encoded("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"one\"}") + "." + encoded(claims);
    try {
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(pair.getPrivate());
      signer.update(text.getBytes(StandardCharsets.US_ASCII));
      return text + "." + BASE64.encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has RSA", e);
    }
  }

  private static String encoded(String json) {
    return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
