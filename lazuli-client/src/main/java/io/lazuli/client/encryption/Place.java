package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import java.util.Locale;

/** Where a value belongs, and where alone it decrypts. Case does not matter in names of tables. */
record Place(String table, String partitionKey, String rowKey, String property) {
  static Place of(EncryptionScope scope, TableEntity entity, String property) {
    return new Place(
        scope.table().toLowerCase(Locale.ROOT),
        entity.getPartitionKey(),
        entity.getRowKey(),
        property);
  }
}
