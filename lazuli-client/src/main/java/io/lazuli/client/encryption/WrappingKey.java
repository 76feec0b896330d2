package io.lazuli.client.encryption;

import reactor.core.publisher.Mono;

/**
 * A key that encrypts other keys. It may live in this process, or elsewhere and be asked over the
 * network; the content keys it is given are fresh for every write of an entity.
 *
 * <p>Implementations are safe for use by several threads, keep no reference to the arrays they are
 * given, and hand out arrays that are the caller's.
 */
public interface WrappingKey {
  /** The name under which a {@link KeyResolver} finds this key again, for as long as data lives. */
  String id();

  /** The JOSE name of what {@link #wrap} does, such as {@code A256KW} or {@code RSA-OAEP}. */
  String algorithm();

  /** Encrypts a content key by {@link #algorithm()}. */
  Mono<byte[]> wrap(byte[] contentKey);

  /**
   * Decrypts a content key. Fails with a {@link java.security.GeneralSecurityException} if this key
   * did not wrap it or does not know the algorithm; other failures mean that the key could not be
   * asked, and reach the caller as they are.
   *
   * @param algorithm the JOSE name that was written beside the wrapped key
   */
  Mono<byte[]> unwrap(String algorithm, byte[] wrappedKey);
}
