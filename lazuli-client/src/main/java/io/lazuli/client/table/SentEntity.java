package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entity as the SDK must get it, so that it is stored as it is meant. */
final class SentEntity {
  private SentEntity() {}

  /**
   * The SDK sends numbers that are none, such as NaN, as text, and leaves it to us to say that they
   * are numbers.
   */
  static TableEntity of(TableEntity entity) {
    Map<String, Object> properties = entity.getProperties();
    if (properties.values().stream().noneMatch(SentEntity::isNoNumber)) {
      return entity;
    }
    TableEntity sent = new TableEntity(entity.getPartitionKey(), entity.getRowKey());
    properties.forEach(
        (name, value) -> {
          sent.addProperty(name, value);
          if (isNoNumber(value)) {
            sent.addProperty(name + "@odata.type", "Edm.Double");
          }
        });
    return sent;
  }

  private static boolean isNoNumber(@Nullable Object value) {
    return value instanceof Double number && !Double.isFinite(number);
  }
}
