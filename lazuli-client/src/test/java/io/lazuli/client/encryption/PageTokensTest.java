package io.lazuli.client.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.encryption.TokenRefused.Kind;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Token;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class PageTokensTest {
  private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
  private static final Token TOKEN = Token.ofContinuation("1!8!Jones;secret-row-key");
  private static final Query SALES = Query.partition("Sales").segmentSize(20);
  private static final WrappingKey OLD = key("old", 1);
  private static final WrappingKey NEW = key("new", 2);

  private final PageTokens tokens = at(NOON, KeyRing.of(NEW));

  private static WrappingKey key(String id, int fill) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) fill);
    return AesWrappingKey.of(id, bytes);
  }

  private static PageTokens at(Instant time, KeyResolver keys) {
    return PageTokens.of(keys).with(Clock.fixed(time, ZoneOffset.UTC));
  }

  private static String seal(PageTokens tokens) {
    return tokens.seal(TOKEN, "Employees", SALES, "user-7").blockOptional().orElseThrow();
  }

  private static Token open(PageTokens tokens, String text) {
    return tokens.open(text, "Employees", SALES, "user-7").blockOptional().orElseThrow();
  }

  private static void assertRefused(Kind kind, Runnable opening) {
    assertThatThrownBy(opening::run)
        .isInstanceOfSatisfying(
            TokenRefused.class, refused -> assertThat(refused.kind()).isEqualTo(kind));
  }

  @Test
  void aSealedTokenIsOpenedForItsTableQueryAndCaller() {
    String text = seal(tokens);
    assertThat(open(tokens, text)).isEqualTo(TOKEN);
    assertThat(seal(tokens)).as("each has its own content key").isNotEqualTo(text);
    assertThat(tokens.open(text, "employees", SALES.segmentSize(50), "user-7").block())
        .as("the case of the name and the size of a page do not matter")
        .isEqualTo(TOKEN);
  }

  @Test
  void aSealedTokenIsRefusedElsewhere() {
    String text = seal(tokens);
    assertRefused(Kind.ALTERED, () -> tokens.open(text, "Customers", SALES, "user-7").block());
    assertRefused(
        Kind.ALTERED,
        () -> tokens.open(text, "Employees", Query.partition("IT"), "user-7").block());
    assertRefused(
        Kind.ALTERED, () -> tokens.open(text, "Employees", Query.all(), "user-7").block());
    assertRefused(Kind.ALTERED, () -> tokens.open(text, "Employees", SALES, "user-8").block());
  }

  @Test
  void aSealedTokenExpires() {
    String text = seal(tokens.validFor(Duration.ofMinutes(10)));
    KeyRing keys = KeyRing.of(NEW);
    assertThat(open(at(NOON.plusSeconds(599), keys), text)).isEqualTo(TOKEN);
    assertRefused(Kind.EXPIRED, () -> open(at(NOON.plusSeconds(600), keys), text));
  }

  @Test
  void keysRotate() {
    String text = seal(at(NOON, KeyRing.of(OLD)));
    assertThat(open(at(NOON, KeyRing.of(OLD).rotatedTo(NEW)), text)).isEqualTo(TOKEN);
    assertThat(open(at(NOON, KeyRing.of(NEW, OLD)), text)).isEqualTo(TOKEN);
    assertRefused(Kind.UNKNOWN_KEY, () -> open(tokens, text));
    assertRefused(Kind.ALTERED, () -> open(at(NOON, KeyRing.of(key("old", 3))), text));
  }

  @Test
  void everyChangedBitIsRefused() {
    byte[] bytes = Base64.getUrlDecoder().decode(seal(tokens).substring(1));
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(opens("2" + Base64.getUrlEncoder().withoutPadding().encodeToString(changed)))
          .as("bit %d", bit)
          .isFalse();
    }
    for (int length = 0; length < bytes.length; length++) {
      assertThat(opens("2" + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(bytes, length))))
          .as("length %d", length)
          .isFalse();
    }
  }

  private boolean opens(String text) {
    try {
      open(tokens, text);
      return true;
    } catch (TokenRefused refused) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2", "2*", "2AAAA", "2AAAAAA", "2_____w", "1MSE4", "null", "../etc"})
  void otherTextsAreRefused(String text) {
    assertRefused(Kind.MALFORMED, () -> open(tokens, text));
  }

  @Test
  void aPlainTokenIsNotASealedOneNorTheOtherWayRound() {
    assertRefused(Kind.MALFORMED, () -> open(tokens, TOKEN.text()));
    assertThatThrownBy(() -> Token.parse(seal(tokens)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theTextFitsIntoAUrlAndRevealsNothing() {
    String text = seal(tokens);
    assertThat(text).matches("[0-9A-Za-z_-]+").hasSizeLessThan(300);
    byte[] bytes = Base64.getUrlDecoder().decode(text.substring(1));
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
        .doesNotContain("Jones", "secret", "Sales", "Employees", "user-7");
  }

  /** A key that anyone can wrap with, as an RSA key is. */
  private record PublicKey(String id, String algorithm) implements WrappingKey {
    @Override
    public Mono<byte[]> wrap(byte[] contentKey) {
      return Mono.just(contentKey);
    }

    @Override
    public Mono<byte[]> unwrap(String wrappedBy, byte[] wrappedKey) {
      return Mono.just(wrappedKey);
    }
  }

  @Test
  void aPublicKeyNeitherSealsNorOpens() throws GeneralSecurityException {
    PageTokens rsa = at(NOON, KeyRing.of(new PublicKey("new", "RSA-OAEP")));
    assertThatThrownBy(() -> seal(rsa)).isInstanceOf(IllegalStateException.class);
    String forged = forged("RSA-OAEP");
    assertRefused(Kind.UNKNOWN_KEY, () -> open(rsa, forged));
    assertRefused(Kind.UNKNOWN_KEY, () -> open(tokens, forged));
    String renamed = forged("A256KW");
    assertRefused(Kind.UNKNOWN_KEY, () -> open(rsa, renamed));
  }

  /** Makes a token as anyone can who has the public key. */
  private static String forged(String algorithm) throws GeneralSecurityException {
    byte[] contentKey = new byte[32];
    Envelope envelope = GcmEnvelope.FORMAT.create(new WrappedKey("new", algorithm, contentKey));
    Place place =
        new Place("employees", SALES.filter().orElseThrow().text(), "user-7", "page token");
    byte[] plain = ByteBuffer.allocate(9).putLong(Long.MAX_VALUE).put((byte) 'x').array();
    byte[] sealed = envelope.encrypt(contentKey, place, plain);
    byte[] header = envelope.text().getBytes(StandardCharsets.UTF_8);
    ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + header.length + sealed.length);
    all.putInt(header.length).put(header).put(sealed);
    return "2" + Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
  }
}
