package io.lazuli.server.table.service;

import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.check.Place;
import io.lazuli.server.check.SpaceCheck;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.entity.EntityCursor;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks that every record of a table is an entity that can be read. */
public final class EntityCheck implements SpaceCheck {
  private final Place place;
  private final Space space;
  private final Consumer<Finding> found;
  private final EntityCursor cursor = new EntityCursor();
  private Position next = Position.START;

  public EntityCheck(Place place, Space space, Consumer<Finding> found) {
    this.place = place;
    this.space = space;
    this.found = found;
  }

  @Override
  public void record(Bytes partition, Bytes row, byte[] value) {
    next = new Position(partition, row).successor();
    String problem = problem(partition, row, value);
    if (!problem.isEmpty()) {
      Fix fix = Fix.remove(new Partition(space, partition).row(row));
      found.accept(new Finding(place, key(new Position(partition, row)), problem, fix));
    }
  }

  @Override
  public void damaged(Position from, @Nullable Position to) {
    next = to == null ? from : to;
  }

  @Override
  public void end() {}

  @Override
  public Position restart() {
    return next;
  }

  /** Returns the key of an entity as operators know it. */
  public static String key(Position at) {
    return "PartitionKey '" + text(at.partition()) + "', RowKey '" + text(at.row()) + "'";
  }

  private static String text(Bytes key) {
    try {
      return Utf8.decode(key.array(), 0, key.length());
    } catch (ArrayIndexOutOfBoundsException e) {
      return key.toString();
    }
  }

  private String problem(Bytes partition, Bytes row, byte[] value) {
    try {
      if (!isKey(partition) || !isKey(row)) {
        return "the key is not text";
      }
      cursor.reset(value, 0, value.length);
      Set<Bytes> names = new HashSet<>();
      int end = EntityCursor.HEADER_BYTES;
      while (cursor.next()) {
        end = cursor.valueOffset() + cursor.valueLength();
        Bytes name = Bytes.of(Arrays.copyOfRange(value, cursor.nameOffset(), cursor.valueOffset()));
        if (cursor.valueLength() < 0 || end > value.length || !names.add(name)) {
          return "the record has a property that is too long or occurs twice";
        }
        if (!hasLength(EdmType.ofTag(cursor.tag()), cursor.valueLength())) {
          return "a property has the wrong length";
        }
      }
      return end == value.length ? "" : "the record is longer than its properties";
    } catch (IllegalStateException | IndexOutOfBoundsException | IllegalArgumentException e) {
      return "the record is not an entity: " + e.getMessage();
    }
  }

  private static boolean isKey(Bytes key) {
    return Arrays.equals(Utf8.encodeKey(Utf8.decode(key.array(), 0, key.length())), key.array());
  }

  private static boolean hasLength(EdmType type, int length) {
    return switch (type) {
      case STRING, BINARY -> true;
      case INT32 -> length == 4;
      case INT64, DOUBLE, DATE_TIME -> length == 8;
      case BOOLEAN -> length == 1;
      case GUID -> length == 16;
    };
  }
}
