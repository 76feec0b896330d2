package io.lazuli.server.table.query;

import io.lazuli.server.event.QueryShape;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.storage.Ticks;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Describes a filter for those who watch the load. Texts end after {@value #TEXT_MAX} letters. */
public record FilterShape(Filter filter) implements QueryShape {
  /** The length of a text. */
  static final int TEXT_MAX = 400;

  private static final String PARTITION_KEY = "PartitionKey";

  /**
   * Returns the partition key at which a query with this filter begins, as far as the filter says
   * it in its outermost conditions; empty if it does not. Makes no text.
   */
  public static String firstPartition(Filter filter) {
    if (filter instanceof Comparison comparison) {
      return begin(comparison);
    } else if (filter instanceof And and) {
      List<Filter> operands = and.operands();
      for (int i = 0; i < operands.size(); i++) {
        String found =
            operands.get(i) instanceof Comparison || operands.get(i) instanceof And
                ? firstPartition(operands.get(i))
                : "";
        if (!found.isEmpty()) {
          return found;
        }
      }
    }
    return "";
  }

  private static String begin(Comparison comparison) {
    Operator operator = comparison.operator();
    boolean bounds = operator == Operator.EQ || operator == Operator.GE || operator == Operator.GT;
    return bounds
            && comparison.property().equals(PARTITION_KEY)
            && comparison.literal() instanceof EdmValue.StringValue text
        ? text.value()
        : "";
  }

  @Override
  public String text() {
    return written(false);
  }

  @Override
  public String example() {
    return written(true);
  }

  @Override
  public int partitions() {
    QueryPlan plan = QueryPlanner.plan(filter);
    return plan.kind() == QueryPlan.Kind.TABLE_SCAN
        ? 0
        : (int) plan.ranges().stream().map(range -> range.from().partition()).distinct().count();
  }

  private String written(boolean literals) {
    StringBuilder out = new StringBuilder();
    if (!filter.equals(Filter.ALL)) {
      write(filter, literals, false, out);
    }
    return out.length() > TEXT_MAX ? out.substring(0, TEXT_MAX) + "…" : out.toString();
  }

  private static void write(Filter filter, boolean literals, boolean inner, StringBuilder out) {
    if (out.length() > TEXT_MAX) {
      return;
    }
    if (filter instanceof And and) {
      join(and.operands(), " and ", literals, inner, out);
    } else if (filter instanceof Or or) {
      join(or.operands(), " or ", literals, inner, out);
    } else if (filter instanceof Not not) {
      out.append("not (");
      write(not.operand(), literals, false, out);
      out.append(')');
    } else if (filter instanceof Comparison comparison) {
      out.append(comparison.property())
          .append(' ')
          .append(comparison.operator().keyword())
          .append(' ')
          .append(literals ? literal(comparison.literal()) : "?");
    } else if (filter instanceof BooleanProperty property) {
      out.append(property.name());
    } else if (filter instanceof Constant constant) {
      out.append(constant.value());
    }
  }

  private static void join(
      List<Filter> operands, String word, boolean literals, boolean inner, StringBuilder out) {
    out.append(inner ? "(" : "");
    for (int i = 0; i < operands.size() && out.length() <= TEXT_MAX; i++) {
      out.append(i == 0 ? "" : word);
      write(operands.get(i), literals, true, out);
    }
    out.append(inner ? ")" : "");
  }

  private static String literal(EdmValue value) {
    if (value instanceof EdmValue.StringValue text) {
      return "'" + text.value().replace("'", "''") + "'";
    } else if (value instanceof EdmValue.Int32Value number) {
      return Integer.toString(number.value());
    } else if (value instanceof EdmValue.Int64Value number) {
      return number.value() + "L";
    } else if (value instanceof EdmValue.DoubleValue number) {
      return Double.toString(number.value());
    } else if (value instanceof EdmValue.BooleanValue flag) {
      return Boolean.toString(flag.value());
    } else if (value instanceof EdmValue.DateTimeValue time) {
      return "datetime'" + Ticks.toInstant(time.ticks()) + "'";
    } else if (value instanceof EdmValue.GuidValue guid) {
      return "guid'" + guid.value() + "'";
    } else if (value instanceof EdmValue.BinaryValue binary) {
      byte[] bytes = Arrays.copyOf(binary.value(), Math.min(binary.value().length, TEXT_MAX));
      return "X'" + HexFormat.of().formatHex(bytes) + "'";
    }
    throw new IllegalStateException("unknown literal: " + value.type());
  }
}
