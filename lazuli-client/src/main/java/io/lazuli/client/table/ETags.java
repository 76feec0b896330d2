package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/** Where the SDK looks for the ETag that a stored entity must have: in the entity it sends. */
final class ETags {
  private static final String PROPERTY = "odata.etag";

  private ETags() {}

  /**
   * Whether the SDK must send the ETag; no condition stands for the ETag that the entity carries.
   */
  static boolean areSentFor(@Nullable Condition condition) {
    return !(condition instanceof Condition.Any);
  }

  /** The entity, with the ETag that a condition asks for; the given one is not changed. */
  static TableEntity expecting(@Nullable Condition condition, TableEntity entity) {
    if (condition instanceof Condition.HasETag expected) {
      return new TableEntity(entity.getPartitionKey(), entity.getRowKey())
          .setProperties(entity.getProperties())
          .addProperty(PROPERTY, expected.eTag());
    }
    if (condition == null && entity.getETag() == null) {
      throw new IllegalArgumentException(
          EntityKey.of(entity)
              + " carries no ETag; read it into a type with an @ETag member, or give a Condition");
    }
    return entity;
  }
}
