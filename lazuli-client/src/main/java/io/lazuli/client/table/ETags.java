package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** Puts the expected ETag into the entity that is sent, where the SDK looks for it. */
final class ETags {
  private static final String PROPERTY = "odata.etag";

  private ETags() {}

  /**
   * Returns whether the SDK must send the ETag. Without a condition it sends the ETag that the
   * entity carries.
   */
  static boolean areSentFor(@Nullable Condition condition) {
    return !(condition instanceof Condition.Any);
  }

  /**
   * Returns the entity with the ETag that a condition requires; the given entity is not changed.
   */
  static TableEntity expecting(@Nullable Condition condition, TableEntity entity) {
    if (condition instanceof Condition.HasETag expected) {
      return new TableEntity(entity.getPartitionKey(), entity.getRowKey())
          .setProperties(entity.getProperties())
          .addProperty(PROPERTY, expected.eTag());
    }
    if (condition == null && entity.getETag() == null) {
      throw new IllegalArgumentException(
          EntityKey.of(entity)
              + " carries no ETag; read it into a type with an @ETag member, or pass a Condition");
    }
    return entity;
  }
}
