package io.lazuli.server.table.query;

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
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import java.util.Optional;
import java.util.Set;

/**
 * A second implementation of table-rest 7.4, for tests. It is slow, works on values, and shares
 * only the value types with the code under test.
 */
final class FilterOracle {
  /** The numeric pairs of the table; the property comes first. */
  private static final Set<String> NUMERIC_PAIRS =
      Set.of(
          "INT32 INT32",
          "INT64 INT32",
          "INT64 INT64",
          "DOUBLE INT32",
          "DOUBLE INT64",
          "DOUBLE DOUBLE");

  private FilterOracle() {}

  static boolean matches(Filter filter, TestEntity entity) {
    if (filter instanceof And and) {
      return and.operands().stream().allMatch(operand -> matches(operand, entity));
    } else if (filter instanceof Or or) {
      return or.operands().stream().anyMatch(operand -> matches(operand, entity));
    } else if (filter instanceof Not not) {
      return !matches(not.operand(), entity);
    } else if (filter instanceof Constant constant) {
      return constant.value();
    } else if (filter instanceof BooleanProperty property) {
      return find(entity, property.name()).equals(Optional.of(new BooleanValue(true)));
    }
    Comparison comparison = (Comparison) filter;
    return find(entity, comparison.property())
        .map(value -> compare(value, comparison.operator().keyword(), comparison.literal()))
        .orElse(false);
  }

  private static Optional<EdmValue> find(TestEntity entity, String name) {
    return switch (name) {
      case "PartitionKey" -> Optional.of(new StringValue(entity.partitionKey()));
      case "RowKey" -> Optional.of(new StringValue(entity.rowKey()));
      case "Timestamp" -> Optional.of(new DateTimeValue(entity.ticks()));
      default ->
          entity.properties().stream()
              .filter(property -> property.name().equals(name))
              .map(Property::value)
              .findFirst();
    };
  }

  private static boolean compare(EdmValue property, String operator, EdmValue literal) {
    String pair = property.type() + " " + literal.type();
    if (NUMERIC_PAIRS.contains(pair)) {
      return property instanceof DoubleValue number
          ? compareDoubles(number.value(), operator, toDouble(literal))
          : fits(Long.compare(toLong(property), toLong(literal)), operator);
    }
    if (property.type() != literal.type()) {
      return Set.of("ne", "lt", "le").contains(operator);
    }
    return fits(order(property, literal), operator);
  }

  private static boolean compareDoubles(double a, String operator, double b) {
    return switch (operator) {
      case "eq" -> a == b;
      case "ne" -> a != b;
      case "lt" -> a < b;
      case "le" -> a <= b;
      case "gt" -> a > b;
      default -> a >= b;
    };
  }

  private static boolean fits(int order, String operator) {
    return switch (operator) {
      case "eq" -> order == 0;
      case "ne" -> order != 0;
      case "lt" -> order < 0;
      case "le" -> order <= 0;
      case "gt" -> order > 0;
      default -> order >= 0;
    };
  }

  private static int order(EdmValue property, EdmValue literal) {
    if (property instanceof StringValue a && literal instanceof StringValue b) {
      return a.value().compareTo(b.value());
    } else if (property instanceof BooleanValue a && literal instanceof BooleanValue b) {
      return (a.value() ? 1 : 0) - (b.value() ? 1 : 0);
    } else if (property instanceof DateTimeValue a && literal instanceof DateTimeValue b) {
      return Long.compare(a.ticks(), b.ticks());
    } else if (property instanceof GuidValue a && literal instanceof GuidValue b) {
      return a.value().toString().compareTo(b.value().toString());
    }
    byte[] a = ((BinaryValue) property).value();
    byte[] b = ((BinaryValue) literal).value();
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      if (a[i] != b[i]) {
        return (a[i] & 0xff) - (b[i] & 0xff);
      }
    }
    return a.length - b.length;
  }

  private static long toLong(EdmValue value) {
    return value instanceof Int32Value number ? number.value() : ((Int64Value) value).value();
  }

  private static double toDouble(EdmValue value) {
    return value instanceof DoubleValue number ? number.value() : toLong(value);
  }
}
