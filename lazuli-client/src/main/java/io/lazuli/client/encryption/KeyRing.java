package io.lazuli.client.encryption;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Local keys by id. New writes use the current key; the others still decrypt the entities that were
 * written with them. Immutable; a rotation creates a new ring.
 */
public final class KeyRing implements KeyResolver {
  private final WrappingKey current;
  private final SortedMap<String, WrappingKey> keys;

  private KeyRing(WrappingKey current, SortedMap<String, WrappingKey> keys) {
    this.current = current;
    this.keys = keys;
  }

  /** Creates a ring from the key for new writes and from retired keys, which only decrypt. */
  public static KeyRing of(WrappingKey current, WrappingKey... retired) {
    SortedMap<String, WrappingKey> keys = new TreeMap<>();
    List.of(retired).forEach(key -> keys.put(key.id(), key));
    keys.put(current.id(), current);
    return new KeyRing(current, Collections.unmodifiableSortedMap(keys));
  }

  /**
   * Loads the AES and RSA keys of a key store file, such as PKCS12. Each alias is a key id. Upper
   * and lower case do not matter in these ids, because PKCS12 does not preserve it. New writes name
   * the key as {@code currentId} spells it.
   *
   * @param password opens the store and its keys
   * @param currentId the alias of the key for new writes
   * @throws IOException if the file cannot be read
   * @throws GeneralSecurityException if the password is wrong or a key in the store is invalid
   * @throws IllegalArgumentException if the store has no key with that alias
   */
  public static KeyRing open(Path file, char[] password, String currentId)
      throws IOException, GeneralSecurityException {
    return from(KeyStore.getInstance(file.toFile(), password), password, currentId);
  }

  /**
   * Like {@link #open}, from a store that is already loaded. Entries of other kinds are ignored.
   */
  public static KeyRing from(KeyStore store, char[] password, String currentId)
      throws GeneralSecurityException {
    SortedMap<String, WrappingKey> keys = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String alias : Collections.list(store.aliases())) {
      WrappingKey key = wrappingKey(store, password, alias, alias);
      if (key != null) {
        keys.put(alias, key);
      }
    }
    WrappingKey current = wrappingKey(store, password, currentId, currentId);
    if (current == null) {
      throw new IllegalArgumentException("The key store has no key with the alias " + currentId);
    }
    return new KeyRing(current, Collections.unmodifiableSortedMap(keys));
  }

  /**
   * Returns a ring whose new writes use another key. It still decrypts with all keys of this ring.
   */
  public KeyRing rotatedTo(WrappingKey next) {
    SortedMap<String, WrappingKey> all = new TreeMap<>(keys);
    all.put(next.id(), next);
    return new KeyRing(next, Collections.unmodifiableSortedMap(all));
  }

  @Override
  public Mono<WrappingKey> current() {
    return Mono.just(current);
  }

  @Override
  public Mono<WrappingKey> find(String keyId) {
    return Mono.justOrEmpty(keys.get(keyId));
  }

  private static @Nullable WrappingKey wrappingKey(
      KeyStore store, char[] password, String alias, String id) throws GeneralSecurityException {
    if (!store.isKeyEntry(alias)) {
      return null;
    }
    Key key = store.getKey(alias, password);
    if (key instanceof SecretKey secret) {
      return AesWrappingKey.of(id, secret);
    }
    if (key instanceof PrivateKey secret && secret.getAlgorithm().equals("RSA")) {
      return RsaWrappingKey.of(id, new KeyPair(store.getCertificate(alias).getPublicKey(), secret));
    }
    return null;
  }
}
