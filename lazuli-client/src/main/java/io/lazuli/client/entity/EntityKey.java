package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.Objects;

/**
 * What names one entity of a table. Immutable.
 *
 * @param partitionKey entities that share it can be written in one transaction
 * @param rowKey unique in the partition
 */
public record EntityKey(String partitionKey, String rowKey) {
  /** Both keys may be empty, none may be absent. */
  public EntityKey {
    Objects.requireNonNull(partitionKey, "partitionKey");
    Objects.requireNonNull(rowKey, "rowKey");
  }

  /** The key of an entity. */
  public static EntityKey of(TableEntity entity) {
    return new EntityKey(entity.getPartitionKey(), entity.getRowKey());
  }

  /**
   * Checks that a change of the entity with this key left it there.
   *
   * @param next the key after the change
   * @throws IllegalArgumentException if it is another one: no update can move an entity
   */
  public void checkKept(EntityKey next) {
    if (!equals(next)) {
      throw new IllegalArgumentException("an update cannot move " + this + " to " + next);
    }
  }

  /** Both keys, for messages: {@code Sales/000123}. */
  @Override
  public String toString() {
    return partitionKey + "/" + rowKey;
  }
}
