package io.lazuli.client.encryption;

import reactor.core.publisher.Mono;

/**
 * Where key-encryption keys come from. Every write asks for the current key, every read for the key
 * that the entity names, so a resolver that asks over the network should remember its answers.
 *
 * <p>Implementations are safe for use by several threads. {@link KeyRing} is one for local keys.
 */
public interface KeyResolver {
  /** The key for new writes; empty if this resolver serves reading only. */
  Mono<WrappingKey> current();

  /** The key of that id, current or retired; empty if it is not known. */
  Mono<WrappingKey> find(String keyId);
}
