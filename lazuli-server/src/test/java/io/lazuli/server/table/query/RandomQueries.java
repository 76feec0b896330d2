package io.lazuli.server.table.query;

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
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Random filters, entities and filter texts. Values come from small pools of edge cases, so that
 * equal values, values of the wrong type and missing properties are frequent.
 */
final class RandomQueries {
  private static final List<String> KEYS =
      List.of("", " ", "0", "a", "aB", "aa", "ab", "b", "ä", "z", "😀", "😀a", "\ue000", "\uffff");
  private static final List<String> ODD_TEXTS = List.of("\ud800", "\udc00", "\ud83d\uffff", "a\0");
  private static final List<String> NAMES =
      List.of("A", "B", "AB", "Größe", "_x", "数", "Flag", "timestamp", "PartitionKeys");
  private static final List<Operator> OPERATORS = List.of(Operator.values());
  private static final List<EdmValue> VALUES =
      Stream.of(texts(), numbers(), others()).flatMap(List::stream).toList();

  private final Random random;

  RandomQueries(long seed) {
    this.random = new Random(seed);
  }

  private static List<EdmValue> texts() {
    return Stream.concat(KEYS.stream(), ODD_TEXTS.stream())
        .<EdmValue>map(StringValue::new)
        .toList();
  }

  private static List<EdmValue> numbers() {
    List<EdmValue> numbers = new ArrayList<>();
    for (int value : new int[] {Integer.MIN_VALUE, -1, 0, 3, Integer.MAX_VALUE}) {
      numbers.add(new Int32Value(value));
      numbers.add(new Int64Value(value));
      numbers.add(new DoubleValue(value));
    }
    long exact = 1L << 53;
    for (long value : new long[] {Long.MIN_VALUE, exact, exact + 1, Long.MAX_VALUE}) {
      numbers.add(new Int64Value(value));
      numbers.add(new DoubleValue(value));
    }
    for (double value :
        new double[] {
          Double.NaN,
          Double.NEGATIVE_INFINITY,
          -0.0,
          Double.MIN_VALUE,
          3.5,
          1e300,
          Double.POSITIVE_INFINITY
        }) {
      numbers.add(new DoubleValue(value));
    }
    return numbers;
  }

  private static List<EdmValue> others() {
    List<EdmValue> others = new ArrayList<>();
    others.add(new BooleanValue(true));
    others.add(new BooleanValue(false));
    for (long ticks : new long[] {0, 1, 132_000_000_000_000_001L, 2_650_467_743_999_999_999L}) {
      others.add(new DateTimeValue(ticks));
    }
    for (long half : new long[] {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
      others.add(new GuidValue(new UUID(half, 0)));
      others.add(new GuidValue(new UUID(0, half)));
    }
    for (String hex : new String[] {"", "00", "7f", "80", "80ff", "ff"}) {
      others.add(new BinaryValue(HexFormat.of().parseHex(hex)));
    }
    return others;
  }

  private <T> T pick(List<T> pool) {
    return pool.get(random.nextInt(pool.size()));
  }

  String key() {
    return random.nextInt(4) == 0 ? pick(KEYS) + pick(KEYS) : pick(KEYS);
  }

  TestEntity entity() {
    List<Property> properties = new ArrayList<>();
    for (String name : NAMES) {
      if (random.nextInt(3) > 0) {
        properties.add(new Property(name, pick(VALUES)));
      }
    }
    long ticks = random.nextInt(4) == 0 ? 1 : random.nextLong(2_650_467_744_000_000_000L);
    return new TestEntity(key(), key(), ticks, properties);
  }

  /** Returns conditions on all kinds of properties. */
  Filter filter() {
    return filter(random.nextInt(5), 3);
  }

  /** Returns mostly conditions on keys. */
  Filter keyFilter() {
    return filter(random.nextInt(6), 10);
  }

  private Filter filter(int depth, int keysInTwelve) {
    int choice = depth == 0 ? 9 : random.nextInt(10);
    if (choice < 3) {
      return new And(filters(depth, keysInTwelve));
    } else if (choice < 6) {
      return new Or(filters(depth, keysInTwelve));
    } else if (choice == 6) {
      return new Not(filter(depth - 1, keysInTwelve));
    }
    return random.nextInt(12) < keysInTwelve ? keyComparison() : condition();
  }

  private List<Filter> filters(int depth, int keysInTwelve) {
    return Stream.generate(() -> filter(depth - 1, keysInTwelve))
        .limit(2 + random.nextInt(3))
        .toList();
  }

  private Filter keyComparison() {
    String literal = random.nextInt(10) == 0 ? pick(ODD_TEXTS) : key();
    String name = random.nextBoolean() ? "PartitionKey" : "RowKey";
    return new Comparison(name, pick(OPERATORS), new StringValue(literal));
  }

  private Filter condition() {
    return switch (random.nextInt(20)) {
      case 0 -> new Constant(random.nextBoolean());
      case 1, 2 -> new BooleanProperty(pick(NAMES));
      case 3, 4 ->
          new Comparison(
              "Timestamp",
              pick(OPERATORS),
              new DateTimeValue(random.nextBoolean() ? 1 : 132_000_000_000_000_001L));
      default -> new Comparison(pick(NAMES), pick(OPERATORS), pick(VALUES));
    };
  }

  /** Returns the text of a filter, in one of several notations. */
  String text(Filter filter) {
    if (filter instanceof And and) {
      return join(and.operands(), "and");
    } else if (filter instanceof Or or) {
      return join(or.operands(), "or");
    } else if (filter instanceof Not not) {
      return "not" + (random.nextBoolean() ? blanks() : "") + "(" + text(not.operand()) + ")";
    } else if (filter instanceof BooleanProperty property) {
      return property.name();
    } else if (filter instanceof Constant constant) {
      return Boolean.toString(constant.value());
    }
    return comparison((Comparison) filter);
  }

  private String join(List<Filter> operands, String keyword) {
    return operands.stream()
        .map(
            operand ->
                operand instanceof And || operand instanceof Or || random.nextBoolean()
                    ? "(" + text(operand) + ")"
                    : text(operand))
        .collect(Collectors.joining(blanks() + keyword + blanks()));
  }

  private String comparison(Comparison filter) {
    String name = operand(filter.property());
    String literal = operand(literal(filter.literal()));
    return random.nextBoolean()
        ? name + blanks() + filter.operator().keyword() + blanks() + literal
        : literal + blanks() + filter.operator().mirrored().keyword() + blanks() + name;
  }

  private String operand(String text) {
    return random.nextInt(6) == 0 ? "( " + text + ")" : text;
  }

  private String blanks() {
    return random.nextInt(6) == 0 ? " \t " : " ";
  }

  private static String literal(EdmValue value) {
    if (value instanceof StringValue string) {
      return "'" + string.value().replace("'", "''") + "'";
    } else if (value instanceof Int32Value number) {
      return Integer.toString(number.value());
    } else if (value instanceof Int64Value number) {
      return number.value() + "L";
    } else if (value instanceof DoubleValue number) {
      return Double.toString(number.value());
    } else if (value instanceof BooleanValue bool) {
      return Boolean.toString(bool.value());
    } else if (value instanceof DateTimeValue time) {
      return "datetime'" + DateTimeText.format(time.ticks()) + "'";
    } else if (value instanceof GuidValue guid) {
      return "guid'" + guid.value() + "'";
    }
    return "X'" + HexFormat.of().formatHex(((BinaryValue) value).value()) + "'";
  }
}
