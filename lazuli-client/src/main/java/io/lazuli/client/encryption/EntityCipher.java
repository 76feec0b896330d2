package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Encrypts entities before they are sent and decrypts them after they are read. Each write of an
 * entity has its own content key, which a key of the {@link KeyResolver} wraps. An entity is
 * therefore encrypted as a whole: it can be inserted or replaced, but not merged.
 *
 * <p>Thread-safe. Does not change the entities that it is given. All failures are {@link
 * EncryptionFailure}s, except when a key could not be reached.
 */
public interface EntityCipher {
  /**
   * Returns the recommended cipher: AES-256-GCM. It detects every change of a value, and every
   * value that was moved to another property, entity or table.
   */
  static EntityCipher gcm(KeyResolver keys) {
    return new EnvelopeCipher(keys, GcmEnvelope.FORMAT);
  }

  /**
   * Returns a cipher that is compatible with the legacy {@code com.microsoft.azure:azure-storage}
   * clients in Java and .NET: AES-256-CBC. These values are not authenticated: some changes go
   * unnoticed and decrypt to another string.
   */
  static EntityCipher legacy(KeyResolver keys) {
    return new EnvelopeCipher(keys, LegacyEnvelope.FORMAT);
  }

  /**
   * Returns a cipher that writes like this one and reads the entities of both, so that a table can
   * be converted while it is in use. An entity that has metadata of this cipher is read by this
   * cipher only.
   */
  default EntityCipher alsoReading(EntityCipher older) {
    return new ChangingCipher(this, older);
  }

  /**
   * Returns a filter for the entities that {@link #gcm} encrypted under a key: these must be
   * written again before the key is deleted. The filter may match more entities if another key id
   * begins with this one and a space.
   */
  static String wrappedBy(String keyId) {
    return GcmEnvelope.filter(keyId);
  }

  /**
   * Encrypts the properties that the scope selects. If the scope selects none, the entity stays as
   * it is. If encryption is required, however, the entity still gets the metadata that a read
   * requires.
   */
  Mono<TableEntity> encrypt(EncryptionScope scope, TableEntity entity);

  /**
   * Decrypts the encrypted properties that the metadata lists, and removes the metadata.
   *
   * @param selected the properties that a projection selected; empty for the whole entity.
   *     Properties that the metadata lists may be missing only in a projection
   */
  Mono<TableEntity> decrypt(EncryptionScope scope, TableEntity entity, Set<String> selected);

  /**
   * Returns the properties that a projection must select in addition to those that the caller
   * wants.
   */
  Set<String> requiredProperties();

  /** Returns whether the entity has metadata of this cipher. */
  boolean isEncrypted(TableEntity entity);
}
