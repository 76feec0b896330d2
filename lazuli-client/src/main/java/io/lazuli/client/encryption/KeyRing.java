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
 * Local keys by id, one of which is current: new writes use that one, the others still decrypt what
 * they once wrapped. Immutable; rotating makes a new ring.
 */
public final class KeyRing implements KeyResolver {
  private final WrappingKey current;
  private final SortedMap<String, WrappingKey> keys;

  private KeyRing(WrappingKey current, SortedMap<String, WrappingKey> keys) {
    this.current = current;
    this.keys = keys;
  }

  /** A ring of the key for new writes and those that only decrypt any more. */
  public static KeyRing of(WrappingKey current, WrappingKey... retired) {
    SortedMap<String, WrappingKey> keys = new TreeMap<>();
    List.of(retired).forEach(key -> keys.put(key.id(), key));
    keys.put(current.id(), current);
    return new KeyRing(current, Collections.unmodifiableSortedMap(keys));
  }

  /**
   * The AES and RSA keys of a key store file, such as PKCS12; each alias is a key id. Case does not
   * matter in these ids, because PKCS12 does not keep it; new writes name the key as given here.
   *
   * @param password opens the store and its keys
   * @param currentId the alias of the key for new writes
   * @throws IOException if the file cannot be read
   * @throws GeneralSecurityException if the password or a key in the store is not good
   * @throws IllegalArgumentException if the store has no key of that alias
   */
  public static KeyRing open(Path file, char[] password, String currentId)
      throws IOException, GeneralSecurityException {
    return from(KeyStore.getInstance(file.toFile(), password), password, currentId);
  }

  /** Like {@link #open}, of a store that is loaded already. Other kinds of entries are left out. */
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
      throw new IllegalArgumentException("The key store has no such key: " + currentId);
    }
    return new KeyRing(current, Collections.unmodifiableSortedMap(keys));
  }

  /** A ring whose new writes use another key, and that still decrypts with all of this one's. */
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
