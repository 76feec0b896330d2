package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.Objects;

/**
 * The key that identifies an entity in a table. Immutable.
 *
 * @param partitionKey entities with the same partition key can be written in one transaction
 * @param rowKey unique in the partition
 */
public record EntityKey(String partitionKey, String rowKey) {
  /** Allows empty keys, but not null. */
  public EntityKey {
    Objects.requireNonNull(partitionKey, "partitionKey");
    Objects.requireNonNull(rowKey, "rowKey");
  }

  /** Returns the key of an entity. */
  public static EntityKey of(TableEntity entity) {
    return new EntityKey(entity.getPartitionKey(), entity.getRowKey());
  }

  /**
   * Checks that a change of the entity did not change its key.
   *
   * @param next the key after the change
   * @throws IllegalArgumentException if the keys differ: an update cannot move an entity
   */
  public void checkKept(EntityKey next) {
    if (!equals(next)) {
      throw new IllegalArgumentException("an update cannot move " + this + " to " + next);
    }
  }

  /** Returns both keys, for messages: {@code Sales/000123}. */
  @Override
  public String toString() {
    return partitionKey + "/" + rowKey;
  }
}
