package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prepares an entity so that the SDK sends it with the right types. */
final class SentEntity {
  private SentEntity() {}

  /**
   * Adds the type {@code Edm.Double} to NaN and infinite values: the SDK sends them as text without
   * a type.
   */
  static TableEntity of(TableEntity entity) {
    Map<String, Object> properties = entity.getProperties();
    if (properties.values().stream().noneMatch(SentEntity::isNotFinite)) {
      return entity;
    }
    TableEntity sent = new TableEntity(entity.getPartitionKey(), entity.getRowKey());
    properties.forEach(
        (name, value) -> {
          sent.addProperty(name, value);
          if (isNotFinite(value)) {
            sent.addProperty(name + "@odata.type", "Edm.Double");
          }
        });
    return sent;
  }

  private static boolean isNotFinite(@Nullable Object value) {
    return value instanceof Double number && !Double.isFinite(number);
  }
}
