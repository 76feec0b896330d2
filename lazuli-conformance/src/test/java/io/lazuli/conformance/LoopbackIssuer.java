package io.lazuli.conformance;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import reactor.core.publisher.Mono;

/** An issuer of tokens on loopback, and the roles of its subjects. */
final class LoopbackIssuer implements AutoCloseable {
  private final HttpServer server;
  private final KeyPair keys;

  private LoopbackIssuer(HttpServer server, KeyPair keys) {
    this.server = server;
    this.keys = keys;
  }

  static LoopbackIssuer start() throws IOException {
    LoopbackIssuer issuer =
        new LoopbackIssuer(
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0),
            pair());
    issuer.serve("/.well-known/openid-configuration", issuer.discovery());
    issuer.serve("/keys", issuer.published());
    issuer.server.start();
    return issuer;
  }

  private static KeyPair pair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2_048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes a roles file that only its owner can read. */
  static Path roles(Path folder, String text) throws IOException {
    Path roles =
        Files.createFile(
            folder.resolve("roles"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(roles, text);
  }

  String name() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void serve(String path, String json) {
    server.createContext(
        path,
        exchange -> {
          byte[] body = json.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  private String discovery() {
    return "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(name(), name());
  }

  private String published() {
    RSAPublicKey key = (RSAPublicKey) keys.getPublic();
    return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k1\",\"use\":\"sig\",\"n\":\"%s\",\"e\":\"%s\"}]}"
        .formatted(base64(unsigned(key.getModulus())), base64(unsigned(key.getPublicExponent())));
  }

  private static byte[] unsigned(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  String token(String subject, Instant expiry) {
    String claims =
        "{\"iss\":\"%s\",\"aud\":\"https://storage.azure.com\",\"sub\":\"%s\",\"exp\":%d}"
            .formatted(name(), subject, expiry.getEpochSecond());
    String text =
        base64("{\"alg\":\"RS256\",\"kid\":\"k1\"}".getBytes(StandardCharsets.UTF_8))
            + "."
            + base64(claims.getBytes(StandardCharsets.UTF_8));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(text.getBytes(StandardCharsets.UTF_8));
      return text + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  TokenCredential credential(String subject) {
    return request -> Mono.just(accessToken(token(subject, Instant.now().plusSeconds(3_600))));
  }

  static AccessToken accessToken(String text) {
    return new AccessToken(text, OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
