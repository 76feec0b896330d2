package io.lazuli.server.table.encoding;

import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.storage.entity.EntityCursor;

/** Computes the size of an entity from its record, as the service counts it (table-rest 5.3). */
public final class EntitySize {
  private EntitySize() {}

  /**
   * Returns true if the entity is larger than the limit. Most records are so small that nothing
   * needs to be counted.
   */
  public static boolean isTooLarge(EntityKey key, byte[] record) {
    int atMost = 4 + 4 * EntityLimits.KEY_UNITS_MAX + 12 * EntityLimits.PROPERTIES_MAX;
    return atMost + 2 * record.length > EntityLimits.ENTITY_BYTES_MAX
        && of(key, record) > EntityLimits.ENTITY_BYTES_MAX;
  }

  /** Returns the size in bytes; a string counts two bytes for each UTF-16 unit. */
  public static int of(EntityKey key, byte[] record) {
    int keyUnits = key.partitionKey().length() + key.rowKey().length();
    return of(keyUnits, new EntityCursor().reset(record, 0, record.length));
  }

  /**
   * Returns the size in bytes.
   *
   * @param keyUnits the UTF-16 units of both keys
   * @param cursor before the first property; it is moved to the end
   */
  public static int of(int keyUnits, EntityCursor cursor) {
    int size = 4 + 2 * keyUnits;
    while (cursor.next()) {
      int nameUnits = Utf8.utf16Length(cursor.array(), cursor.nameOffset(), cursor.nameLength());
      size += 8 + 2 * nameUnits + valueSize(cursor);
    }
    return size;
  }

  private static int valueSize(EntityCursor cursor) {
    return switch (EdmType.ofTag(cursor.tag())) {
      case STRING ->
          4 + 2 * Utf8.utf16Length(cursor.array(), cursor.valueOffset(), cursor.valueLength());
      case BINARY -> 4 + cursor.valueLength();
      case INT32, INT64, DOUBLE, BOOLEAN, DATE_TIME, GUID -> cursor.valueLength();
    };
  }
}
