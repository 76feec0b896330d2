package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Encrypts entities before they are sent and decrypts them after they were read. Each write of an
 * entity has a content key of its own, wrapped by a key of the {@link KeyResolver}, so that an
 * entity is encrypted as a whole: inserted or replaced, never merged.
 *
 * <p>Safe for use by several threads. Entities that are handed in are not changed. All failures are
 * {@link EncryptionFailure}s, apart from those of a key that could not be asked.
 */
public interface EntityCipher {
  /**
   * The cipher to use: AES-256-GCM, which notices every change, and every value that was moved to
   * another property, entity or table.
   */
  static EntityCipher gcm(KeyResolver keys) {
    return new EnvelopeCipher(keys, GcmEnvelope.FORMAT);
  }

  /**
   * Reads and writes what the legacy {@code com.microsoft.azure:azure-storage} clients encrypted,
   * in Java and .NET: AES-256-CBC. Interoperable, but nothing authenticates these values: some
   * changes decrypt to another string.
   */
  static EntityCipher legacy(KeyResolver keys) {
    return new EnvelopeCipher(keys, LegacyEnvelope.FORMAT);
  }

  /**
   * Writes as this one does and reads what either wrote, so that a table can change over while in
   * use. An entity that carries metadata of this cipher is read by it alone.
   */
  default EntityCipher alsoReading(EntityCipher older) {
    return new ChangingCipher(this, older);
  }

  /**
   * A filter for the entities that {@link #gcm} encrypted under that key: those to write again
   * before the key is thrown away. It may find some more if one key id begins with another and a
   * space.
   */
  static String wrappedBy(String keyId) {
    return GcmEnvelope.filter(keyId);
  }

  /**
   * Encrypts what the scope chooses. An entity of which it chooses nothing stays as it is, unless
   * encryption is required: it then gets the metadata that reading asks for.
   */
  Mono<TableEntity> encrypt(EncryptionScope scope, TableEntity entity);

  /**
   * Decrypts what is encrypted according to the metadata of the entity, and takes the metadata out.
   *
   * @param selected the properties that were asked for, if it was not the entity as a whole: only
   *     then may others that the metadata lists be missing
   */
  Mono<TableEntity> decrypt(EncryptionScope scope, TableEntity entity, Set<String> selected);

  /** What a projection must ask for beside the properties that the caller wants. */
  Set<String> requiredProperties();

  /** Whether the entity carries metadata of this cipher. */
  boolean isEncrypted(TableEntity entity);
}
