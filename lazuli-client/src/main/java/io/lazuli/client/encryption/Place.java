package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import java.util.Locale;

/**
 * The location that an encrypted value is bound to. The value cannot be decrypted anywhere else.
 * Upper and lower case do not matter in table names.
 */
record Place(String table, String partitionKey, String rowKey, String property) {
  static Place of(EncryptionScope scope, TableEntity entity, String property) {
    return new Place(
        scope.table().toLowerCase(Locale.ROOT),
        entity.getPartitionKey(),
        entity.getRowKey(),
        property);
  }
}
