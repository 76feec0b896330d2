package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.Condition;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stored entity, with the properties that this library adds to those of its value. Their names
 * begin with {@code Lazuli}.
 *
 * <ul>
 *   <li>{@code Version}: grows with every change of the primary; a copy has the version of the
 *       primary that it equals.
 *   <li>{@code Writes}: the marks by which a client whose answer was lost recognises its own
 *       change: {@link io.lazuli.client.table.WriteMark}.
 *   <li>{@code Change}: the random name of the last move, for the same purpose.
 *   <li>{@code DeletedAt}: this entity is the tombstone of a deleted one.
 *   <li>{@code Unsettled}: the work that is left for a worker in addition to updating the copies:
 *       copies to remove, and {@link #DELETION}.
 *   <li>{@code MoveTo}: the primary is frozen and is being moved to this key, or was moved there.
 *   <li>{@code MovedFrom}: the move that brought this primary here.
 *   <li>{@code PrimaryPartitionKey}, {@code PrimaryRowKey}: the key of the primary, if this is a
 *       copy.
 * </ul>
 */
record Row(TableEntity entity) {
  static final String VERSION = "LazuliVersion";
  static final String CHANGE = "LazuliChange";
  static final String DELETED_AT = "LazuliDeletedAt";
  static final String UNSETTLED = "LazuliUnsettled";
  static final String MOVE_TO = "LazuliMoveTo";
  static final String MOVED_FROM = "LazuliMovedFrom";
  static final String PRIMARY_PARTITION = "LazuliPrimaryPartitionKey";
  static final String PRIMARY_ROW = "LazuliPrimaryRowKey";

  /** Unsettled work of a deleted primary, until all targets have processed the deletion. */
  static final String DELETION = "deleted";

  /** The properties that distinguish tombstones and copies from values. */
  static final List<String> DISTINGUISHING = List.of(DELETED_AT, PRIMARY_PARTITION, PRIMARY_ROW);

  private static final String OURS = "Lazuli";

  EntityKey key() {
    return EntityKey.of(entity);
  }

  Condition unchanged() {
    return Condition.eTag(entity.getETag());
  }

  /** Returns zero if no primary table wrote the entity. */
  long version() {
    return entity.getProperty(VERSION) instanceof Long version ? version : 0;
  }

  boolean deleted() {
    return entity.getProperty(DELETED_AT) != null;
  }

  boolean changedBy(String change) {
    return change.equals(entity.getProperty(CHANGE));
  }

  Optional<String> text(String property) {
    return entity.getProperty(property) instanceof String text && !text.isEmpty()
        ? Optional.of(text)
        : Optional.empty();
  }

  List<String> unsettled() {
    return text(UNSETTLED).map(text -> Arrays.asList(text.split(" "))).orElse(List.of());
  }

  /** Returns whether the entity is being moved, so that it must not be changed here. */
  boolean moving() {
    return !deleted() && text(MOVE_TO).isPresent();
  }

  boolean isCopy() {
    return entity.getProperty(PRIMARY_PARTITION) != null;
  }

  /** Returns the key of the primary of a copy. */
  EntityKey primary() {
    return new EntityKey(text(PRIMARY_PARTITION).orElse(""), text(PRIMARY_ROW).orElse(""));
  }

  /** Returns the entity as the codec wrote it, under this key. */
  TableEntity plain(EntityKey key) {
    TableEntity plain = of(key, entity);
    plain.getProperties().putAll(serviceProperties(entity));
    plain.getProperties().keySet().removeIf(name -> name.startsWith(OURS));
    return plain;
  }

  /**
   * Returns a new entity with the properties of another, except those that only the service sets.
   */
  static TableEntity of(EntityKey key, TableEntity properties) {
    TableEntity copy = new TableEntity(key.partitionKey(), key.rowKey());
    properties
        .getProperties()
        .forEach(
            (name, value) -> {
              if (!isServiceProperty(name)
                  && !name.equals("PartitionKey")
                  && !name.equals("RowKey")) {
                copy.addProperty(name, value);
              }
            });
    return copy;
  }

  /** Returns the tombstone of an entity. */
  static TableEntity tombstone(EntityKey key, Instant now) {
    OffsetDateTime time = now.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
    return new TableEntity(key.partitionKey(), key.rowKey()).addProperty(DELETED_AT, time);
  }

  /** Returns the text for {@link #UNSETTLED}. */
  static String joined(Collection<String> unsettled) {
    return String.join(" ", unsettled);
  }

  private static Map<String, Object> serviceProperties(TableEntity entity) {
    Map<String, Object> found = new HashMap<>(entity.getProperties());
    found.keySet().removeIf(name -> !isServiceProperty(name));
    return found;
  }

  private static boolean isServiceProperty(String name) {
    return name.equals("Timestamp") || name.contains("odata.");
  }
}
