package io.lazuli.server.table.query;

import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.EntityCursor;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import java.util.Arrays;

/**
 * Compares stored values with one literal, on the bytes of the record, as table-rest 7.4 defines. A
 * numeric literal is widened to the type of the property, never the other way round. If the types
 * cannot be compared, {@link Operator#holdsOnMismatch} decides.
 */
final class LiteralComparison {
  private final Operator operator;

  /** For each type tag, true if properties of that type can be compared with the literal. */
  private final boolean[] comparable;

  /** A string or binary literal, encoded as in a record. */
  private final byte[] bytes;

  /** An integer, Boolean or DateTime literal, or the first half of a Guid. */
  private final long number;

  /** The second half of a Guid. */
  private final long secondNumber;

  /** A numeric literal as Double. */
  private final double real;

  LiteralComparison(Operator operator, EdmValue literal) {
    this.operator = operator;
    this.comparable = new boolean[EdmType.values().length + 1];
    for (EdmType type : EdmType.values()) {
      comparable[type.tag()] = compare(type, literal.type());
    }
    this.bytes = EntityCodec.valueBytes(literal);
    this.number = number(literal);
    this.secondNumber =
        literal instanceof GuidValue guid ? guid.value().getLeastSignificantBits() : 0;
    this.real = literal instanceof DoubleValue value ? value.value() : number;
  }

  /** Returns true if a property of one type can be compared with a literal of the other type. */
  static boolean compare(EdmType property, EdmType literal) {
    return switch (property) {
      case INT64 -> literal == EdmType.INT64 || literal == EdmType.INT32;
      case DOUBLE ->
          literal == EdmType.DOUBLE || literal == EdmType.INT64 || literal == EdmType.INT32;
      case STRING, INT32, BOOLEAN, DATE_TIME, GUID, BINARY -> property == literal;
    };
  }

  /** Returns true if the comparison holds for the property at the cursor. */
  boolean holds(EntityCursor property) {
    EdmType type = EdmType.ofTag(property.tag());
    if (!comparable[type.tag()]) {
      return operator.holdsOnMismatch();
    }
    return switch (type) {
      case STRING -> operator.accepts(orderOfString(property));
      case INT32 -> operator.accepts(Long.compare(property.intValue(), number));
      case INT64, DATE_TIME -> operator.accepts(Long.compare(property.longValue(), number));
      case DOUBLE -> holds(property.doubleValue());
      case BOOLEAN -> operator.accepts(Boolean.compare(property.booleanValue(), number != 0));
      case GUID -> operator.accepts(orderOfGuid(property));
      case BINARY -> operator.accepts(orderOfBinary(property));
    };
  }

  /** Returns true if the comparison holds for a timestamp. */
  boolean holdsForTicks(long ticks) {
    return comparable[EdmType.DATE_TIME.tag()]
        ? operator.accepts(Long.compare(ticks, number))
        : operator.holdsOnMismatch();
  }

  /**
   * Compares as IEEE 754 does, unlike {@link Double#compare}: NaN equals nothing, and the two zeros
   * are equal.
   */
  private boolean holds(double value) {
    if (Double.isNaN(value) || Double.isNaN(real)) {
      return operator.holdsOnNan();
    }
    int notAbove = value < real ? -1 : 0;
    return operator.accepts(value > real ? 1 : notAbove);
  }

  private int orderOfString(EntityCursor property) {
    return Utf8.compareUtf16(
        property.array(), property.valueOffset(), property.valueLength(), bytes, 0, bytes.length);
  }

  private int orderOfBinary(EntityCursor property) {
    int from = property.valueOffset();
    int to = from + property.valueLength();
    return Arrays.compareUnsigned(property.array(), from, to, bytes, 0, bytes.length);
  }

  /**
   * Compares in the order of the printed text, which is the order of the printed bytes. The order
   * of {@code UUID} is different.
   */
  private int orderOfGuid(EntityCursor property) {
    int first = Long.compareUnsigned(property.longValue(), number);
    return first != 0 ? first : Long.compareUnsigned(property.secondLongValue(), secondNumber);
  }

  private static long number(EdmValue literal) {
    return switch (literal.type()) {
      case INT32 -> ((Int32Value) literal).value();
      case INT64 -> ((Int64Value) literal).value();
      case BOOLEAN -> ((BooleanValue) literal).value() ? 1 : 0;
      case DATE_TIME -> ((DateTimeValue) literal).ticks();
      case GUID -> ((GuidValue) literal).value().getMostSignificantBits();
      case STRING, DOUBLE, BINARY -> 0;
    };
  }
}
