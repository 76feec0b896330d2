package io.lazuli.client.encryption;

import io.lazuli.client.encryption.TokenRefused.Kind;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Token;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Seals the tokens of queries, so that they can be handed to a browser. A sealed token is encrypted
 * and authenticated: it reveals no key of an entity, and can be used only for the table, the query
 * and the caller that it was sealed for, until it expires. Immutable and thread-safe.
 *
 * <p>Each token has its own content key, which an AES key of the resolver wraps. With a {@link
 * KeyRing}, the current key seals and all keys open, so a rotation does not end the paging of
 * anybody. RSA keys are rejected, because anyone may have the public key.
 */
public final class PageTokens {
  /** Distinguishes sealed tokens from the text of plain ones. */
  private static final String FORMAT = "2";

  /** Not the name of a property, so that no encrypted value of an entity can serve as a token. */
  private static final String PROPERTY = "page token";

  private static final Set<String> ALGORITHMS = Set.of("A128KW", "A192KW", "A256KW");
  private static final int CONTENT_KEY_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyResolver keys;
  private final Duration validity;
  private final Clock clock;

  private PageTokens(KeyResolver keys, Duration validity, Clock clock) {
    this.keys = keys;
    this.validity = validity;
    this.clock = clock;
  }

  /** Creates tokens that are valid for an hour. */
  public static PageTokens of(KeyResolver keys) {
    return new PageTokens(keys, Duration.ofHours(1), Clock.systemUTC());
  }

  /** Returns tokens that are valid for another time. */
  public PageTokens validFor(Duration time) {
    return new PageTokens(keys, time, clock);
  }

  /** Returns tokens with another clock, which decides when they expire. */
  public PageTokens with(Clock other) {
    return new PageTokens(keys, validity, other);
  }

  /**
   * Returns the text of a sealed token. It contains only letters, digits, {@code -} and {@code _}.
   *
   * @param query the query that the token belongs to; its condition counts, its size does not
   * @param caller the user or session that may use the token; empty for everybody
   * @return the text; the error {@link IllegalStateException} if the current key is not an AES key
   */
  public Mono<String> seal(Token token, String table, Query query, String caller) {
    return Mono.defer(
        () -> {
          byte[] contentKey = new byte[CONTENT_KEY_BYTES];
          RANDOM.nextBytes(contentKey);
          return keys.current()
              .filter(key -> ALGORITHMS.contains(key.algorithm()))
              .switchIfEmpty(
                  Mono.error(() -> new IllegalStateException("page tokens need a current AES key")))
              .flatMap(
                  key ->
                      key.wrap(contentKey)
                          .map(bytes -> new WrappedKey(key.id(), key.algorithm(), bytes)))
              .map(key -> sealed(token, place(table, query, caller), key, contentKey));
        });
  }

  private String sealed(Token token, Place place, WrappedKey key, byte[] contentKey) {
    byte[] continuation = token.continuation().getBytes(StandardCharsets.UTF_8);
    byte[] plain =
        ByteBuffer.allocate(Long.BYTES + continuation.length)
            .putLong(clock.instant().plus(validity).toEpochMilli())
            .put(continuation)
            .array();
    Envelope envelope = GcmEnvelope.FORMAT.create(key);
    try {
      return new Sealed(envelope, envelope.encrypt(contentKey, place, plain)).text();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java runtime cannot encrypt", e);
    }
  }

  /**
   * Returns the token of a text that {@link #seal} returned for the same table, query and caller.
   *
   * @return the token; the error {@link TokenRefused} if the text cannot be used
   */
  public Mono<Token> open(String text, String table, Query query, String caller) {
    return Mono.defer(
        () -> {
          Sealed sealed = Sealed.parse(text);
          return contentKey(sealed.envelope().key())
              .map(key -> opened(sealed, place(table, query, caller), key));
        });
  }

  private Mono<byte[]> contentKey(WrappedKey wrapped) {
    return Mono.justOrEmpty(wrapped)
        .filter(key -> ALGORITHMS.contains(key.algorithm()))
        .flatMap(key -> keys.find(key.keyId()))
        .filter(key -> ALGORITHMS.contains(key.algorithm()))
        .switchIfEmpty(refused(Kind.UNKNOWN_KEY))
        .flatMap(key -> key.unwrap(wrapped.algorithm(), wrapped.bytes()))
        .onErrorMap(GeneralSecurityException.class, e -> new TokenRefused(Kind.ALTERED, e))
        .filter(key -> key.length == CONTENT_KEY_BYTES)
        .switchIfEmpty(refused(Kind.ALTERED));
  }

  private static <T> Mono<T> refused(Kind kind) {
    return Mono.error(() -> new TokenRefused(kind, null));
  }

  private Token opened(Sealed sealed, Place place, byte[] contentKey) {
    try {
      ByteBuffer plain =
          ByteBuffer.wrap(sealed.envelope().decrypt(contentKey, place, sealed.bytes()));
      if (clock.millis() >= plain.getLong()) {
        throw new TokenRefused(Kind.EXPIRED, null);
      }
      return Token.ofContinuation(StandardCharsets.UTF_8.decode(plain).toString());
    } catch (GeneralSecurityException e) {
      throw new TokenRefused(Kind.ALTERED, e);
    }
  }

  /** Returns what the token is bound to. Upper and lower case do not matter in table names. */
  private static Place place(String table, Query query, String caller) {
    String condition = query.filter().map(Filter::text).orElse("");
    return new Place(table.toLowerCase(Locale.ROOT), condition, caller, PROPERTY);
  }

  /** The parts of a sealed token. */
  private record Sealed(Envelope envelope, byte[] bytes) {
    /** Refuses other spellings of the same bytes, so that every token has one text. */
    static Sealed parse(String text) {
      Sealed sealed = parts(text);
      WrappedKey key = sealed.envelope.key();
      if (!new Sealed(GcmEnvelope.FORMAT.create(key), sealed.bytes).text().equals(text)) {
        throw new TokenRefused(Kind.ALTERED, null);
      }
      return sealed;
    }

    String text() {
      byte[] header = envelope.text().getBytes(StandardCharsets.UTF_8);
      byte[] all =
          ByteBuffer.allocate(Integer.BYTES + header.length + bytes.length)
              .putInt(header.length)
              .put(header)
              .put(bytes)
              .array();
      return FORMAT + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    private static Sealed parts(String text) {
      if (!text.startsWith(FORMAT)) {
        throw new TokenRefused(Kind.MALFORMED, null);
      }
      try {
        ByteBuffer all =
            ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(FORMAT.length())));
        byte[] header = new byte[length(all)];
        all.get(header);
        byte[] sealed = new byte[all.remaining()];
        all.get(sealed);
        return new Sealed(
            GcmEnvelope.FORMAT.parse(new String(header, StandardCharsets.UTF_8)), sealed);
      } catch (IllegalArgumentException | BufferUnderflowException | Unreadable e) {
        throw new TokenRefused(Kind.MALFORMED, e);
      }
    }

    /** Reads a length that the bytes can have, so that a changed one allocates nothing. */
    private static int length(ByteBuffer all) {
      int length = all.getInt();
      if (length < 0 || length > all.remaining()) {
        throw new BufferUnderflowException();
      }
      return length;
    }
  }
}
