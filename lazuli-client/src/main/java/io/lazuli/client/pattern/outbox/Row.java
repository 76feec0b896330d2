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
 *   <li>{@code Hidden}: this entity is not a value of its table, but a copy, a tombstone or a list.
 *   <li>{@code DeletedAt}: this entity is the tombstone of a deleted one.
 *   <li>{@code Copies}: the names of all copies that may exist under keys that depend on the value,
 *       and {@link #DELETION}. A name is added before its copy is written, and removed after its
 *       copy.
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
  static final String COPIES = "LazuliCopies";
  static final String MOVE_TO = "LazuliMoveTo";
  static final String MOVED_FROM = "LazuliMovedFrom";
  static final String PRIMARY_PARTITION = "LazuliPrimaryPartitionKey";
  static final String PRIMARY_ROW = "LazuliPrimaryRowKey";

  /** Is among the copies of a deleted primary until all targets have processed the deletion. */
  static final String DELETION = "deleted";

  /** The value of {@link AsyncPrimaryTable#HIDDEN} in copies. */
  static final String COPY = "copy";

  private static final String TOMBSTONE = "tombstone";

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

  /** Returns the names of the copies that may exist. */
  List<String> copies() {
    return text(COPIES).map(text -> Arrays.asList(text.split(" "))).orElse(List.of());
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

  /** Returns the entity as the codec wrote it, under the key of its primary. */
  TableEntity plain() {
    TableEntity plain = of(isCopy() ? primary() : key(), entity);
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
    return new TableEntity(key.partitionKey(), key.rowKey())
        .addProperty(AsyncPrimaryTable.HIDDEN, TOMBSTONE)
        .addProperty(DELETED_AT, time);
  }

  /** Adds the names of the copies that may exist to an entity. */
  static TableEntity listing(Collection<String> copies, TableEntity entity) {
    return entity.addProperty(COPIES, String.join(" ", copies));
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
