package io.lazuli.client.encryption;

import reactor.core.publisher.Mono;

/**
 * A key that encrypts other keys. It may be in this process, or it may be stored elsewhere and used
 * over the network. It wraps a new content key for every write of an entity.
 *
 * <p>Implementations are thread-safe and keep no reference to the arrays that they are given. The
 * arrays that they return belong to the caller.
 */
public interface WrappingKey {
  /**
   * Returns the id of this key. A {@link KeyResolver} must find the key by this id as long as data
   * encrypted with it exists.
   */
  String id();

  /**
   * Returns the JOSE name of the algorithm of {@link #wrap}, such as {@code A256KW} or {@code
   * RSA-OAEP}.
   */
  String algorithm();

  /** Encrypts a content key with {@link #algorithm()}. */
  Mono<byte[]> wrap(byte[] contentKey);

  /**
   * Decrypts a content key. Fails with a {@link java.security.GeneralSecurityException} if this key
   * did not wrap the content key or does not support the algorithm. Other failures mean that the
   * key could not be used, and reach the caller unchanged.
   *
   * @param algorithm the JOSE name that is stored with the wrapped key
   */
  Mono<byte[]> unwrap(String algorithm, byte[] wrappedKey);
}
