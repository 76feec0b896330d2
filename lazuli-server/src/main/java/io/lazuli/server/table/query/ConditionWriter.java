package io.lazuli.server.table.query;

import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.storage.entity.EntityCondition;
import io.lazuli.storage.entity.LiteralComparison;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Writes filters in the form that {@link EntityCondition} reads. The rules of table-rest 7.4 about
 * types end here: a numeric literal is widened to the type of the property, never the other way
 * round, and {@link Operator#holdsOnMismatch} decides if the types cannot be compared.
 */
final class ConditionWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  private ConditionWriter() {}

  static byte[] write(Filter filter) {
    ConditionWriter writer = new ConditionWriter();
    try {
      writer.node(filter);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.bytes.toByteArray();
  }

  private void node(Filter filter) throws IOException {
    if (filter instanceof And and) {
      nodes(EntityCondition.ALL, and.operands());
    } else if (filter instanceof Or or) {
      nodes(EntityCondition.ANY, or.operands());
    } else if (filter instanceof Not not) {
      out.writeByte(EntityCondition.NOT);
      node(not.operand());
    } else if (filter instanceof Comparison comparison) {
      comparison(comparison);
    } else if (filter instanceof BooleanProperty bool) {
      booleanProperty(bool.name());
    } else {
      constant(((Constant) filter).value());
    }
  }

  private void nodes(int kind, List<Filter> operands) throws IOException {
    out.writeByte(kind);
    out.writeInt(operands.size());
    for (Filter operand : operands) {
      node(operand);
    }
  }

  private void constant(boolean value) throws IOException {
    out.writeByte(value ? EntityCondition.ALWAYS : EntityCondition.NEVER);
  }

  private void booleanProperty(String name) throws IOException {
    if (SystemProperties.type(name) != null) {
      constant(false);
    } else {
      out.writeByte(EntityCondition.TRUE);
      bytes(Utf8.encodeValue(name));
    }
  }

  private void comparison(Comparison filter) throws IOException {
    if (SystemProperties.isKey(filter.property())) {
      keyComparison(filter);
    } else if (filter.property().equals(SystemProperties.TIMESTAMP)) {
      out.writeByte(EntityCondition.TIMESTAMP);
      literal(filter.operator(), filter.literal());
    } else {
      out.writeByte(EntityCondition.PROPERTY);
      bytes(Utf8.encodeValue(filter.property()));
      literal(filter.operator(), filter.literal());
    }
  }

  private void keyComparison(Comparison filter) throws IOException {
    if (filter.literal() instanceof StringValue string) {
      boolean partition = filter.property().equals(SystemProperties.PARTITION_KEY);
      out.writeByte(partition ? EntityCondition.PARTITION_KEY : EntityCondition.ROW_KEY);
      out.writeByte(orders(filter.operator()));
      bytes(Utf8.encodeKey(string.value()));
    } else {
      constant(filter.operator().holdsOnMismatch());
    }
  }

  private void literal(Operator operator, EdmValue literal) throws IOException {
    out.writeByte(orders(operator));
    out.writeShort(comparableTags(literal.type()));
    long number = number(literal);
    out.writeLong(number);
    out.writeLong(literal instanceof GuidValue guid ? guid.value().getLeastSignificantBits() : 0);
    out.writeDouble(literal instanceof DoubleValue value ? value.value() : number);
    bytes(EntityCodec.valueBytes(literal));
  }

  private void bytes(byte[] written) throws IOException {
    out.writeInt(written.length);
    out.write(written);
  }

  private static int orders(Operator operator) {
    return (operator.accepts(-1) ? LiteralComparison.LESS : 0)
        | (operator.accepts(0) ? LiteralComparison.EQUAL : 0)
        | (operator.accepts(1) ? LiteralComparison.GREATER : 0)
        | (operator.holdsOnMismatch() ? LiteralComparison.MISMATCH : 0)
        | (operator.holdsOnNan() ? LiteralComparison.NOT_A_NUMBER : 0);
  }

  private static int comparableTags(EdmType literal) {
    int tags = 0;
    for (EdmType property : EdmType.values()) {
      tags |= compare(property, literal) ? 1 << property.tag() : 0;
    }
    return tags;
  }

  /** Returns true if a property of one type can be compared with a literal of the other type. */
  private static boolean compare(EdmType property, EdmType literal) {
    return switch (property) {
      case INT64 -> literal == EdmType.INT64 || literal == EdmType.INT32;
      case DOUBLE ->
          literal == EdmType.DOUBLE || literal == EdmType.INT64 || literal == EdmType.INT32;
      case STRING, INT32, BOOLEAN, DATE_TIME, GUID, BINARY -> property == literal;
    };
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
