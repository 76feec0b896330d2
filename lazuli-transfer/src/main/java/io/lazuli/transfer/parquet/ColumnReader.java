package io.lazuli.transfer.parquet;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.format.UnpairedText;
import io.lazuli.transfer.http.TransferException;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.jspecify.annotations.Nullable;

/**
 * A column of a file and the property that it makes.
 *
 * @param property the name of the property
 * @param escaped whether the strings are JSON
 * @param ticks whether the column has the ticks of the column before it
 */
record ColumnReader(String property, EdmType type, boolean escaped, boolean ticks) {
  static ColumnReader of(Type field) {
    int at = field.getName().indexOf(ParquetColumns.SEPARATOR);
    String name = at < 0 ? field.getName() : field.getName().substring(0, at);
    String label = at < 0 ? "" : field.getName().substring(at + 1);
    if (!field.isPrimitive() || field.isRepetition(Repetition.REPEATED)) {
      throw new TransferException("the column " + field.getName() + " is nested");
    }
    if (label.equals(ParquetColumns.TICKS)) {
      return new ColumnReader(name, EdmType.DATE_TIME, false, true);
    }
    boolean isNull = label.equals(EdmType.NULL.shortLabel());
    return new ColumnReader(
        name,
        isNull ? EdmType.NULL : type(field.asPrimitiveType()),
        label.endsWith(UnpairedText.SUFFIX),
        false);
  }

  private static EdmType type(PrimitiveType field) {
    LogicalTypeAnnotation logical = field.getLogicalTypeAnnotation();
    @Nullable EdmType type =
        switch (field.getPrimitiveTypeName()) {
          case BOOLEAN -> EdmType.BOOLEAN;
          case DOUBLE, FLOAT -> EdmType.DOUBLE;
          case INT32 -> logical == null ? EdmType.INT32 : null;
          case INT64 ->
              isMicros(logical) ? EdmType.DATE_TIME : logical == null ? EdmType.INT64 : null;
          case BINARY ->
              logical instanceof StringLogicalTypeAnnotation
                  ? EdmType.STRING
                  : logical == null ? EdmType.BINARY : null;
          case FIXED_LEN_BYTE_ARRAY ->
              logical instanceof UUIDLogicalTypeAnnotation ? EdmType.GUID : null;
          case INT96 -> null;
        };
    if (type == null) {
      throw new TransferException("the column " + field + " has no type of the table service");
    }
    return type;
  }

  private static boolean isMicros(@Nullable LogicalTypeAnnotation logical) {
    return logical instanceof TimestampLogicalTypeAnnotation time
        && time.getUnit() == TimeUnit.MICROS;
  }
}
