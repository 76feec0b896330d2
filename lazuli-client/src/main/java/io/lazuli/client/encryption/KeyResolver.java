package io.lazuli.client.encryption;

import reactor.core.publisher.Mono;

/**
 * Supplies key-encryption keys. Every write needs the current key and every read the key that the
 * entity names, so a resolver that uses the network should cache its results.
 *
 * <p>Implementations are thread-safe. {@link KeyRing} implements it for local keys.
 */
public interface KeyResolver {
  /** Returns the key for new writes; empty if this resolver is for reading only. */
  Mono<WrappingKey> current();

  /** Returns the key with that id, current or retired; empty if it is unknown. */
  Mono<WrappingKey> find(String keyId);
}
