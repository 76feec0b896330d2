package io.lazuli.server.job.file;

import io.lazuli.server.table.model.DateTimeText;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import java.util.Base64;

/** The text of a value, as the protocol has it. */
final class ValueText {
  private ValueText() {}

  static String of(EdmValue value) {
    return switch (value.type()) {
      case STRING -> ((StringValue) value).value();
      case INT32 -> Integer.toString(((Int32Value) value).value());
      case INT64 -> Long.toString(((Int64Value) value).value());
      case DOUBLE -> Double.toString(((DoubleValue) value).value());
      case BOOLEAN -> Boolean.toString(((BooleanValue) value).value());
      case DATE_TIME -> DateTimeText.format(((DateTimeValue) value).ticks());
      case GUID -> ((GuidValue) value).value().toString();
      case BINARY -> Base64.getEncoder().encodeToString(((BinaryValue) value).value());
    };
  }
}
