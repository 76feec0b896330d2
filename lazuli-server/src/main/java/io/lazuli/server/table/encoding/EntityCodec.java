package io.lazuli.server.table.encoding;

import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.storage.entity.EntityCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Writes entity records in the layout that {@link EntityCursor} reads, and reads them as values.
 */
public final class EntityCodec {
  private EntityCodec() {}

  /** Returns the record of an entity that has exactly these properties. */
  public static byte[] encode(List<Property> properties) {
    return new RecordWriter().writeAll(properties).finish();
  }

  /**
   * Returns the record of a stored entity with properties added or overwritten. Stored properties
   * keep their order; new ones follow.
   *
   * @param changes an encoded record
   */
  public static byte[] merge(byte[] stored, byte[] changes) {
    RecordWriter out = new RecordWriter();
    EntityCursor change = new EntityCursor().reset(changes, 0, changes.length);
    EntityCursor kept = new EntityCursor().reset(stored, 0, stored.length);
    while (kept.next()) {
      byte[] name = Arrays.copyOfRange(stored, kept.nameOffset(), kept.valueOffset());
      out.copy(change.find(name) ? change : kept);
    }
    change.rewind();
    EntityCursor old = new EntityCursor().reset(stored, 0, stored.length);
    while (change.next()) {
      byte[] name = Arrays.copyOfRange(changes, change.nameOffset(), change.valueOffset());
      if (!old.find(name)) {
        out.copy(change);
      }
    }
    return out.finish();
  }

  /** Sets the timestamp of a record that nobody else has seen yet. */
  public static void setTicks(byte[] record, long ticks) {
    RecordWriter.LONG.set(record, EntityCursor.TICKS_AT, ticks);
  }

  public static long ticks(byte[] record) {
    return (long) RecordWriter.LONG.get(record, EntityCursor.TICKS_AT);
  }

  /** Returns the properties of a record as values. */
  public static List<Property> properties(byte[] record) {
    EntityCursor cursor = new EntityCursor().reset(record, 0, record.length);
    List<Property> properties = new ArrayList<>();
    while (cursor.next()) {
      String name = Utf8.decode(record, cursor.nameOffset(), cursor.nameLength());
      properties.add(new Property(name, value(cursor)));
    }
    return properties;
  }

  /** Returns the value at the cursor. */
  public static EdmValue value(EntityCursor cursor) {
    byte[] array = cursor.array();
    int from = cursor.valueOffset();
    return switch (EdmType.ofTag(cursor.tag())) {
      case STRING -> new StringValue(Utf8.decode(array, from, cursor.valueLength()));
      case INT32 -> new Int32Value(cursor.intValue());
      case INT64 -> new Int64Value(cursor.longValue());
      case DOUBLE -> new DoubleValue(cursor.doubleValue());
      case BOOLEAN -> new BooleanValue(cursor.booleanValue());
      case DATE_TIME -> new DateTimeValue(cursor.longValue());
      case GUID -> new GuidValue(new UUID(cursor.longValue(), cursor.secondLongValue()));
      case BINARY -> new BinaryValue(Arrays.copyOfRange(array, from, from + cursor.valueLength()));
    };
  }

  /** Returns the bytes of a value as a record holds them. */
  public static byte[] valueBytes(EdmValue value) {
    return switch (value.type()) {
      case STRING -> Utf8.encodeValue(((StringValue) value).value());
      case INT32 -> bytes(((Int32Value) value).value());
      case INT64 -> longs(((Int64Value) value).value());
      case DOUBLE -> longs(Double.doubleToRawLongBits(((DoubleValue) value).value()));
      case BOOLEAN -> new byte[] {(byte) (((BooleanValue) value).value() ? 1 : 0)};
      case DATE_TIME -> longs(((DateTimeValue) value).ticks());
      case GUID -> bytes(((GuidValue) value).value());
      case BINARY -> ((BinaryValue) value).value();
    };
  }

  private static byte[] bytes(int value) {
    byte[] bytes = new byte[Integer.BYTES];
    RecordWriter.INT.set(bytes, 0, value);
    return bytes;
  }

  private static byte[] bytes(UUID value) {
    return longs(value.getMostSignificantBits(), value.getLeastSignificantBits());
  }

  private static byte[] longs(long... values) {
    byte[] bytes = new byte[8 * values.length];
    for (int i = 0; i < values.length; i++) {
      RecordWriter.LONG.set(bytes, 8 * i, values[i]);
    }
    return bytes;
  }
}
