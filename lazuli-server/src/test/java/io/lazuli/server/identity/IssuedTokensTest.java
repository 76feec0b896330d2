package io.lazuli.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.lazuli.server.access.Identity;
import io.lazuli.server.auth.Bearer;
import io.lazuli.server.error.ServiceException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a token can be wrong, with generated keys. */
class IssuedTokensTest {
  private static final UUID TENANT = UUID.fromString("72f988bf-86f1-41af-91ab-2d7cd011db47");

  private final HeldKeys keys = new HeldKeys(TestTokens.RSA, TestTokens.EC);
  private final TestClock clock = new TestClock();
  private final IssuedTokens tokens = tokens(TestTokens.ISSUER, Set.of());
  private int verifications;

  private IssuedTokens tokens(String issuer, Set<UUID> tenants) {
    return new IssuedTokens(
        Map.of(issuer, new IssuedTokens.Trusted(keys, tenants)),
        new Audiences(Set.of()),
        (work, back) -> {
          verifications++;
          return work.run();
        },
        clock);
  }

  private JWTClaimsSet.Builder claims() {
    return TestTokens.claims(clock.instant());
  }

  private Identity accepted(String token) {
    return accepted(tokens, token);
  }

  private static Identity accepted(IssuedTokens by, String token) {
    return by.identity(token, "acct", "blob", Runnable::run).toCompletableFuture().join();
  }

  private void assertRefused(String token, String detail) {
    assertRefused(tokens, token, detail);
  }

  private static void assertRefused(IssuedTokens by, String token, String detail) {
    assertThatThrownBy(() -> accepted(by, token))
        .satisfies(
            thrown -> {
              Throwable failure = thrown instanceof ServiceException ? thrown : thrown.getCause();
              assertThat(failure).isInstanceOf(ServiceException.class);
              ServiceException refusal = (ServiceException) failure;
              assertThat(refusal.error().code()).isEqualTo("InvalidAuthenticationInfo");
              assertThat(refusal.error().status()).isEqualTo(401);
              assertThat(refusal.details()).containsEntry(Bearer.DETAIL, detail);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
  void signaturesWithRsaAreAccepted(String algorithm) {
    String token =
        TestTokens.signed(
            claims().build(), JWSAlgorithm.parse(algorithm), TestTokens.RSA, header -> header);
    assertThat(accepted(token).subject()).isEqualTo("somebody");
  }

  @Test
  void signaturesWithCurvesAreAccepted() {
    keys.publish(
        TestTokens.EC, TestTokens.ec("ec-384", Curve.P_384), TestTokens.ec("ec-521", Curve.P_521));
    List<JWSAlgorithm> algorithms =
        List.of(JWSAlgorithm.ES256, JWSAlgorithm.ES384, JWSAlgorithm.ES512);
    for (int i = 0; i < algorithms.size(); i++) {
      JWK key = keys.secret.get(i);
      String token = TestTokens.signed(claims().build(), algorithms.get(i), key, header -> header);
      assertThat(accepted(token).issuer()).isEqualTo(TestTokens.ISSUER);
    }
  }

  @Test
  void claimsOfEntraAndOfKeycloakBecomeAnIdentity() {
    Identity entra =
        accepted(
            TestTokens.signed(
                claims()
                    .claim("oid", "object")
                    .claim("tid", TENANT.toString())
                    .claim("appid", "application")
                    .claim("azp", "ignored")
                    .claim("groups", List.of("g1", "g2"))
                    .claim("roles", List.of("r1"))
                    .build()));
    assertThat(entra)
        .isEqualTo(
            new Identity(
                TestTokens.ISSUER,
                TENANT.toString(),
                "object",
                "application",
                "somebody",
                Set.of("g1", "g2"),
                Set.of("r1")));
    Identity keycloak =
        accepted(
            TestTokens.signed(
                claims()
                    .claim("azp", "client")
                    .claim("realm_access", Map.of("roles", List.of("admin")))
                    .build()));
    assertThat(keycloak.application()).isEqualTo("client");
    assertThat(keycloak.appRoles()).containsExactly("admin");
    assertThat(keycloak.object()).isNull();
  }

  @Test
  void aTokenWithoutASubjectNeedsAnObjectId() {
    assertRefused(TestTokens.signed(claims().subject(null).build()), TokenException.FORM);
    String token = TestTokens.signed(claims().subject(null).claim("oid", "object").build());
    assertThat(accepted(token).subject()).isEqualTo("object");
  }

  @Test
  void aTokenWithoutASignatureIsRefused() {
    assertRefused(new PlainJWT(claims().build()).serialize(), TokenException.SIGNATURE);
    String[] parts = TestTokens.signed(claims().build()).split("\\.", -1);
    String none = base64("{\"alg\":\"none\",\"kid\":\"rsa-1\"}");
    assertRefused(none + "." + parts[1] + "." + parts[2], TokenException.FORM);
    assertRefused(none + "." + parts[1] + ".", TokenException.SIGNATURE);
    assertRefused(parts[0] + "." + parts[1] + ".", TokenException.FORM);
    for (String spelling : List.of("None", "NONE", "nOnE")) {
      String head = base64("{\"alg\":\"" + spelling + "\",\"kid\":\"rsa-1\"}");
      assertThatThrownBy(() -> accepted(head + "." + parts[1] + "."));
      assertThatThrownBy(() -> accepted(head + "." + parts[1] + "." + parts[2]));
    }
  }

  @Test
  void aPublicKeyIsNoSecret() throws JOSEException {
    List<byte[]> secrets =
        List.of(
            TestTokens.RSA.toRSAPublicKey().getEncoded(),
            TestTokens.RSA.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
            TestTokens.RSA.getModulus().decode(),
            ("-----BEGIN PUBLIC KEY-----\n"
                    + Base64.getMimeEncoder()
                        .encodeToString(TestTokens.RSA.toRSAPublicKey().getEncoded())
                    + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.UTF_8));
    for (byte[] secret : secrets) {
      for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.HS256, JWSAlgorithm.HS512)) {
        SignedJWT token =
            new SignedJWT(
                new JWSHeader.Builder(algorithm).keyID("rsa-1").build(), claims().build());
        token.sign(new MACSigner(secret));
        assertRefused(token.serialize(), TokenException.SIGNATURE);
      }
    }
  }

  @Test
  void anotherIssuerIsRefused() {
    for (String issuer :
        List.of(
            "https://other.example",
            TestTokens.ISSUER + "/",
            TestTokens.ISSUER.toUpperCase(Locale.ROOT),
            TestTokens.ISSUER + " ",
            "https://issuer.example/realms/on")) {
      assertRefused(TestTokens.signed(claims().issuer(issuer).build()), TokenException.ISSUER);
    }
    assertRefused(TestTokens.signed(claims().issuer(null).build()), TokenException.FORM);
  }

  @Test
  void anotherAudienceIsRefused() {
    for (String audience :
        List.of(
            "https://graph.microsoft.com",
            "https://storage.azure.com.evil.example",
            "https://storage.azure.com//",
            "https://other.blob.core.windows.net",
            "https://acct.queue.core.windows.net",
            "https://acct.blob.core.windows.net.evil.example",
            "")) {
      assertRefused(
          TestTokens.signed(claims().audience(audience).build()), TokenException.AUDIENCE);
    }
    assertRefused(
        TestTokens.signed(claims().audience((String) null).build()), TokenException.AUDIENCE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://storage.azure.com",
        "https://storage.azure.com/",
        "e406a681-f3d4-42a8-90b6-c2b029497af1",
        "https://acct.blob.core.windows.net",
        "https://acct.blob.core.windows.net/",
        "https://acct.blob.core.usgovcloudapi.net"
      })
  void theAudiencesOfAzureStorageAreAccepted(String audience) {
    String token = TestTokens.signed(claims().audience(List.of("x", audience)).build());
    assertThat(accepted(token).subject()).isEqualTo("somebody");
  }

  /** A token for one account must not be remembered for all accounts. */
  @Test
  void aRememberedTokenIsRefusedForAnotherAccount() {
    String token =
        TestTokens.signed(claims().audience("https://acct.blob.core.windows.net").build());
    assertThat(accepted(token).subject()).isEqualTo("somebody");
    for (String[] other : new String[][] {{"acct", "queue"}, {"acct2", "blob"}}) {
      assertThatThrownBy(
              () ->
                  tokens
                      .identity(token, other[0], other[1], Runnable::run)
                      .toCompletableFuture()
                      .join())
          .isInstanceOf(CompletionException.class);
    }
  }

  @Test
  void listedAudiencesReplaceTheOthers() {
    IssuedTokens listed =
        new IssuedTokens(
            Map.of(TestTokens.ISSUER, new IssuedTokens.Trusted(keys, Set.of())),
            new Audiences(Set.of("lazuli")),
            (work, back) -> work.run(),
            clock);
    assertThat(accepted(listed, TestTokens.signed(claims().audience("lazuli").build())).subject())
        .isEqualTo("somebody");
    assertRefused(listed, TestTokens.signed(claims().build()), TokenException.AUDIENCE);
  }

  @Test
  void anotherTenantIsRefused() {
    IssuedTokens strict = tokens(TestTokens.ISSUER, Set.of(TENANT));
    String right = TestTokens.signed(claims().claim("tid", TENANT.toString()).build());
    assertThat(accepted(strict, right).tenant()).isEqualTo(TENANT.toString());
    String other = TestTokens.signed(claims().claim("tid", new UUID(1, 1).toString()).build());
    assertRefused(strict, other, TokenException.TENANT);
    assertRefused(strict, TestTokens.signed(claims().build()), TokenException.TENANT);
    assertRefused(
        strict, TestTokens.signed(claims().claim("tid", "x").build()), TokenException.TENANT);
  }

  @Test
  void timesAreCheckedWithFiveMinutesOfSkew() {
    Instant now = clock.instant();
    Date early = Date.from(now.minus(Duration.ofMinutes(5)).minusSeconds(1));
    Date late = Date.from(now.plus(Duration.ofMinutes(5)).plusSeconds(1));
    assertRefused(
        TestTokens.signed(claims().expirationTime(early).build()), TokenException.EXPIRED);
    assertRefused(TestTokens.signed(claims().notBeforeTime(late).build()), TokenException.NOT_YET);
    assertRefused(TestTokens.signed(claims().issueTime(late).build()), TokenException.NOT_YET);
    assertRefused(TestTokens.signed(claims().expirationTime(null).build()), TokenException.FORM);
    Date justExpired = Date.from(now.minus(Duration.ofMinutes(4)));
    Date soon = Date.from(now.plus(Duration.ofMinutes(4)));
    String token =
        TestTokens.signed(claims().expirationTime(justExpired).notBeforeTime(soon).build());
    assertThat(accepted(token).subject()).isEqualTo("somebody");
  }

  @Test
  void aKeyThatIsNotPublishedIsRefused() {
    String token =
        TestTokens.signed(
            claims().build(), JWSAlgorithm.RS256, TestTokens.OTHER_RSA, header -> header);
    assertRefused(token, TokenException.SIGNATURE);
  }

  @Test
  void tricksWithKeyIdsAreRefused() {
    for (String id : List.of("", "rsa-1 ", "RSA-1", "../../dev/null", "' or 1=1", "ec-1")) {
      String token =
          TestTokens.signed(
              claims().build(), JWSAlgorithm.RS256, TestTokens.RSA, header -> header.keyID(id));
      assertRefused(token, TokenException.SIGNATURE);
    }
    String none =
        TestTokens.signed(
            claims().build(), JWSAlgorithm.RS256, TestTokens.RSA, header -> header.keyID(null));
    assertRefused(none, TokenException.SIGNATURE);
  }

  @Test
  void keysThatATokenBringsAreIgnored() {
    RSAKey own = TestTokens.OTHER_RSA;
    List<String> forged =
        List.of(
            TestTokens.signed(
                claims().build(), JWSAlgorithm.RS256, own, header -> header.jwk(own.toPublicJWK())),
            TestTokens.signed(
                claims().build(),
                JWSAlgorithm.RS256,
                own,
                header -> header.jwkURL(URI.create("https://evil.example/keys"))),
            TestTokens.signed(
                claims().build(),
                JWSAlgorithm.RS256,
                own,
                header -> header.x509CertURL(URI.create("https://evil.example/cert"))));
    forged.forEach(token -> assertRefused(token, TokenException.SIGNATURE));
    // With the right signature they do no harm.
    String harmless =
        TestTokens.signed(
            claims().build(),
            JWSAlgorithm.RS256,
            TestTokens.RSA,
            header -> header.jwkURL(URI.create("https://evil.example/keys")));
    assertThat(accepted(harmless).subject()).isEqualTo("somebody");
  }

  @Test
  void aKeyForSomethingElseIsRefused() {
    String token = TestTokens.signed(claims().build());
    keys.publish(new RSAKey.Builder(TestTokens.RSA).keyUse(KeyUse.ENCRYPTION).build());
    assertRefused(token, TokenException.SIGNATURE);
    keys.publish(new RSAKey.Builder(TestTokens.RSA).algorithm(JWSAlgorithm.RS512).build());
    assertRefused(token, TokenException.SIGNATURE);
    keys.publish(TestTokens.RSA, TestTokens.OTHER_RSA);
    assertRefused(token, TokenException.SIGNATURE);
    keys.publish(TestTokens.RSA);
    assertThat(accepted(token).subject()).isEqualTo("somebody");
  }

  @Test
  void otherKindsOfTokensAndExtensionsAreRefused() {
    for (String type : List.of("secevent+jwt", "dpop+jwt", "logout+jwt", "x")) {
      String token =
          TestTokens.signed(
              claims().build(),
              JWSAlgorithm.RS256,
              TestTokens.RSA,
              header -> header.type(new JOSEObjectType(type)));
      assertRefused(token, TokenException.FORM);
    }
    for (String type : List.of("JWT", "at+jwt", "application/at+jwt")) {
      String token =
          TestTokens.signed(
              claims().build(),
              JWSAlgorithm.RS256,
              TestTokens.RSA,
              header -> header.type(new JOSEObjectType(type)));
      assertThat(accepted(token).subject()).isEqualTo("somebody");
    }
    String critical =
        TestTokens.signed(
            claims().build(),
            JWSAlgorithm.RS256,
            TestTokens.RSA,
            header -> header.criticalParams(Set.of("exp")).customParam("exp", 1));
    assertRefused(critical, TokenException.FORM);
  }

  @Test
  void membersThatOccurTwiceAreRefused() throws JOSEException {
    long now = clock.instant().getEpochSecond();
    String twice =
        "{\"iss\":\"x\",\"iss\":\""
            + TestTokens.ISSUER
            + "\",\"aud\":\""
            + TestTokens.AUDIENCE
            + "\",\"sub\":\"s\",\"exp\":"
            + (now + 60)
            + "}";
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-1").build(), new Payload(twice));
    token.sign(new RSASSASigner(TestTokens.RSA));
    assertRefused(token.serialize(), TokenException.FORM);
  }

  @Test
  void tokensHaveABoundedSize() {
    String large = TestTokens.signed(claims().claim("x", "y".repeat(13_000)).build());
    assertThat(large.length()).isGreaterThan(TokenForm.TOKEN_CHARS_MAX);
    assertRefused(large, TokenException.FORM);
    List<String> groups = new ArrayList<>();
    for (int i = 0; i <= TokenClaims.GROUPS_MAX; i++) {
      groups.add("g" + i);
    }
    assertRefused(
        TestTokens.signed(claims().claim("groups", groups).build()),
        "The token has too many groups.");
    assertRefused(
        TestTokens.signed(claims().claim("groups", List.of(1, 2)).build()), TokenException.FORM);
  }

  @Test
  void aTokenIsVerifiedOnce() {
    String token = TestTokens.signed(claims().build());
    for (int i = 0; i < 5; i++) {
      assertThat(accepted(token).subject()).isEqualTo("somebody");
    }
    assertThat(verifications).isEqualTo(1);
  }

  @Test
  void aRememberedTokenExpires() {
    String token = TestTokens.signed(claims().build());
    assertThat(accepted(token).subject()).isEqualTo("somebody");
    clock.advance(Duration.ofHours(1).plus(TokenClaims.SKEW_MAX));
    assertRefused(token, TokenException.EXPIRED);
  }

  @Test
  void aRememberedTokenEndsWithItsKey() {
    String token = TestTokens.signed(claims().build());
    assertThat(accepted(token).subject()).isEqualTo("somebody");
    keys.publish(TestTokens.EC);
    assertRefused(token, TokenException.SIGNATURE);
  }

  @Test
  void anUnknownKeyIsAskedFor() {
    keys.publish(TestTokens.EC);
    keys.later = KeySetOf.keys(TestTokens.RSA);
    assertThat(accepted(TestTokens.signed(claims().build())).subject()).isEqualTo("somebody");
    assertThat(keys.asked).isEqualTo(1);
  }

  /** Only a token that is right in everything else may cause a call of its issuer. */
  @Test
  void aWrongTokenAsksNobody() {
    keys.publish(TestTokens.EC);
    assertRefused(TestTokens.signed(claims().audience("x").build()), TokenException.AUDIENCE);
    assertRefused(
        TestTokens.signed(claims().expirationTime(Date.from(Instant.EPOCH)).build()),
        TokenException.EXPIRED);
    assertThat(keys.asked).isZero();
  }

  /** Changes of single characters, of one bit of them, and cuts. The seed is in the failure. */
  @Test
  void aDamagedTokenIsNeverAccepted() {
    List<String> good =
        List.of(
            TestTokens.signed(claims().build()),
            TestTokens.signed(
                claims().build(), JWSAlgorithm.ES256, TestTokens.EC, header -> header));
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 4_000; i++) {
      String token = good.get(i % good.size());
      String damaged = damaged(token, random);
      if (!damaged.equals(token)) {
        CompletableFuture<Identity> answer =
            tokens.identity(damaged, "acct", "blob", Runnable::run).toCompletableFuture();
        assertThat(answer)
            .describedAs("seed %d, round %d: %s", seed, i, damaged)
            .isCompletedExceptionally();
      }
    }
  }

  private static String damaged(String token, Random random) {
    int at = random.nextInt(token.length());
    StringBuilder text = new StringBuilder(token);
    switch (random.nextInt(5)) {
      case 0 -> text.setCharAt(at, (char) (text.charAt(at) ^ 1 << random.nextInt(7)));
      case 1 -> text.setCharAt(at, "AZaz09-_.=+/ ".charAt(random.nextInt(13)));
      case 2 -> text.deleteCharAt(at);
      case 3 -> text.insert(at, "AZaz09-_.=+/ \n".charAt(random.nextInt(14)));
      default -> text.setLength(at);
    }
    return text.toString();
  }

  private static String base64(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  private static final class KeySetOf {
    static KeySet keys(JWK... some) {
      try {
        return KeySet.parse(TestTokens.published(some));
      } catch (KeysException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class HeldKeys implements IssuerKeys {
    private List<JWK> secret = List.of();
    private KeySet current = KeySet.NONE;
    private KeySet later = KeySet.NONE;
    private int asked;

    HeldKeys(JWK... some) {
      publish(some);
    }

    void publish(JWK... some) {
      secret = List.of(some);
      current = KeySetOf.keys(some);
      later = current;
    }

    @Override
    public KeySet current() {
      return current;
    }

    @Override
    public CompletionStage<KeySet> newer() {
      asked++;
      current = later;
      return CompletableFuture.completedFuture(current);
    }

    @Override
    public String trouble() {
      return "";
    }
  }

  private static final class TestClock extends Clock {
    private Instant now = Instant.parse("2026-05-01T12:00:00Z");

    void advance(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
