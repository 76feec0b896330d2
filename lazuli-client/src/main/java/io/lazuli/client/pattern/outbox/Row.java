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
 * An entity as it is stored, with the properties that this library adds to those of its value. The
 * names of these begin with {@code Lazuli}.
 *
 * <ul>
 *   <li>{@code Version}: grows with every change of the primary; a copy has that of the primary it
 *       equals.
 *   <li>{@code Change}: a name for the last change, by which a client whose answer was lost knows
 *       its own.
 *   <li>{@code DeletedAt}: this entity is but the marker of one that was deleted.
 *   <li>{@code Unsettled}: what a worker has yet to do, beyond bringing the copies up to date:
 *       places that the primary has left, and {@link #DELETION}.
 *   <li>{@code MoveTo}: the primary is frozen, and about to be moved there, or was.
 *   <li>{@code MovedFrom}: the move that brought this primary here.
 *   <li>{@code PrimaryPartitionKey}, {@code PrimaryRowKey}: whose copy this is.
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

  /** What is unsettled about a deleted primary until all targets know of it. */
  static final String DELETION = "deleted";

  /** What tells markers and copies from values. */
  static final List<String> TELLING = List.of(DELETED_AT, PRIMARY_PARTITION, PRIMARY_ROW);

  private static final String OURS = "Lazuli";

  EntityKey key() {
    return EntityKey.of(entity);
  }

  Condition unchanged() {
    return Condition.eTag(entity.getETag());
  }

  /** Zero if no primary table wrote it. */
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

  /** On its way to another place, so that it must not be changed here. */
  boolean moving() {
    return !deleted() && text(MOVE_TO).isPresent();
  }

  boolean isCopy() {
    return entity.getProperty(PRIMARY_PARTITION) != null;
  }

  /** For a copy: the key of its primary. */
  EntityKey primary() {
    return new EntityKey(text(PRIMARY_PARTITION).orElse(""), text(PRIMARY_ROW).orElse(""));
  }

  /** The entity as its value wrote it, under this key. */
  TableEntity plain(EntityKey key) {
    TableEntity plain = of(key, entity);
    plain.getProperties().putAll(ofTheService(entity));
    plain.getProperties().keySet().removeIf(name -> name.startsWith(OURS));
    return plain;
  }

  /** A new entity with the properties of another, without what only the service sets. */
  static TableEntity of(EntityKey key, TableEntity properties) {
    TableEntity copy = new TableEntity(key.partitionKey(), key.rowKey());
    properties
        .getProperties()
        .forEach(
            (name, value) -> {
              if (!ofTheService(name) && !name.equals("PartitionKey") && !name.equals("RowKey")) {
                copy.addProperty(name, value);
              }
            });
    return copy;
  }

  /** The marker of an entity that was deleted. */
  static TableEntity marker(EntityKey key, Instant now) {
    OffsetDateTime time = now.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
    return new TableEntity(key.partitionKey(), key.rowKey()).addProperty(DELETED_AT, time);
  }

  /** For text in {@link #UNSETTLED}. */
  static String joined(Collection<String> unsettled) {
    return String.join(" ", unsettled);
  }

  private static Map<String, Object> ofTheService(TableEntity entity) {
    Map<String, Object> found = new HashMap<>(entity.getProperties());
    found.keySet().removeIf(name -> !ofTheService(name));
    return found;
  }

  private static boolean ofTheService(String name) {
    return name.equals("Timestamp") || name.contains("odata.");
  }
}
