package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import java.util.Set;
import java.util.TreeSet;
import reactor.core.publisher.Mono;

/** Encrypts with the newer cipher and decrypts the entities of both ciphers. */
record ChangingCipher(EntityCipher newer, EntityCipher older) implements EntityCipher {
  @Override
  public Mono<TableEntity> encrypt(EncryptionScope scope, TableEntity entity) {
    return newer.encrypt(scope, entity);
  }

  @Override
  public Mono<TableEntity> decrypt(
      EncryptionScope scope, TableEntity entity, Set<String> selected) {
    boolean old = older.isEncrypted(entity) && !newer.isEncrypted(entity);
    return (old ? older : newer).decrypt(scope, entity, selected).map(this::withoutMetadata);
  }

  /**
   * Removes the metadata of both ciphers. The other cipher's metadata can be present with null
   * values, because the projection asked for it.
   */
  private TableEntity withoutMetadata(TableEntity entity) {
    Set<String> metadata = new TreeSet<>(requiredProperties());
    metadata.removeAll(EnvelopeCipher.KEYS);
    return EnvelopeCipher.without(entity, metadata);
  }

  @Override
  public Set<String> requiredProperties() {
    Set<String> all = new TreeSet<>(newer.requiredProperties());
    all.addAll(older.requiredProperties());
    return all;
  }

  @Override
  public boolean isEncrypted(TableEntity entity) {
    return newer.isEncrypted(entity) || older.isEncrypted(entity);
  }
}
