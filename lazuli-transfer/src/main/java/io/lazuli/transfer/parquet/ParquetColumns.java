package io.lazuli.transfer.parquet;

import static org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit.MICROS;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.uuidType;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.format.Column;
import io.lazuli.transfer.format.UnpairedText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * The columns of a Parquet file: one for each name and type of a property. A property that has the
 * same type everywhere has a column with its name; otherwise the names are {@code Name@Int32},
 * {@code Name@String} and so on.
 *
 * <p>Times are microseconds, which every reader understands. The column {@code Name@ticks} has the
 * 100-nanosecond units beyond them; it is absent where there are none.
 */
final class ParquetColumns {
  static final String TICKS = "ticks";
  static final char SEPARATOR = '@';

  /** The fields that every file starts with. */
  static final int PARTITION_KEY = 0;

  static final int ROW_KEY = 1;
  static final int TIMESTAMP = 2;

  private final MessageType schema;
  private final Map<Column, Integer> places = new HashMap<>();

  ParquetColumns(SortedSet<Column> columns) {
    Map<String, Integer> types = new HashMap<>();
    columns.forEach(column -> types.merge(column.name(), 1, Integer::sum));
    List<Type> fields = new ArrayList<>();
    fields.add(Types.required(PrimitiveTypeName.BINARY).as(stringType()).named("PartitionKey"));
    fields.add(Types.required(PrimitiveTypeName.BINARY).as(stringType()).named("RowKey"));
    fields.add(
        Types.optional(PrimitiveTypeName.INT64).as(timestampType(true, MICROS)).named("Timestamp"));
    for (Column column : columns) {
      places.put(column, fields.size());
      boolean plain =
          types.getOrDefault(column.name(), 0) == 1
              && column.type() != EdmType.NULL
              && !column.escaped();
      fields.add(field(column, plain ? column.name() : column.name() + SEPARATOR + label(column)));
      if (column.type() == EdmType.DATE_TIME) {
        fields.add(
            Types.optional(PrimitiveTypeName.INT32).named(column.name() + SEPARATOR + TICKS));
      }
    }
    schema = new MessageType("entity", fields);
  }

  private static String label(Column column) {
    return column.type().shortLabel() + (column.escaped() ? UnpairedText.SUFFIX : "");
  }

  private static Type field(Column column, String name) {
    return switch (column.type()) {
      case STRING -> Types.optional(PrimitiveTypeName.BINARY).as(stringType()).named(name);
      case INT32 -> Types.optional(PrimitiveTypeName.INT32).named(name);
      case INT64 -> Types.optional(PrimitiveTypeName.INT64).named(name);
      case DOUBLE -> Types.optional(PrimitiveTypeName.DOUBLE).named(name);
      case BOOLEAN, NULL -> Types.optional(PrimitiveTypeName.BOOLEAN).named(name);
      case DATE_TIME ->
          Types.optional(PrimitiveTypeName.INT64).as(timestampType(true, MICROS)).named(name);
      case GUID ->
          Types.optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
              .length(16)
              .as(uuidType())
              .named(name);
      case BINARY -> Types.optional(PrimitiveTypeName.BINARY).named(name);
    };
  }

  MessageType schema() {
    return schema;
  }

  /** Returns the field of a column; that of its ticks is the next one. */
  int place(Column column) {
    Integer place = places.get(column);
    if (place == null) {
      throw new IllegalStateException("no column for " + column);
    }
    return place;
  }
}
