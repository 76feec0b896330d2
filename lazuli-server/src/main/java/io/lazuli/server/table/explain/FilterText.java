package io.lazuli.server.table.explain;

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
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import java.util.HexFormat;
import java.util.List;

/** Writes a filter as the text of {@code $filter}. */
public final class FilterText {
  /** The maximum characters of a text; the rest is replaced by an ellipsis. */
  private static final int CHARS_MAX = 2_000;

  private FilterText() {}

  public static String of(Filter filter) {
    StringBuilder out = new StringBuilder();
    write(filter, false, out);
    return out.length() <= CHARS_MAX ? out.toString() : out.substring(0, CHARS_MAX) + "\u2026";
  }

  private static void write(Filter filter, boolean inside, StringBuilder out) {
    if (out.length() > CHARS_MAX) {
      return;
    }
    if (filter instanceof And and) {
      join(and.operands(), " and ", inside, out);
    } else if (filter instanceof Or or) {
      join(or.operands(), " or ", inside, out);
    } else if (filter instanceof Not not) {
      out.append("not (");
      write(not.operand(), false, out);
      out.append(')');
    } else if (filter instanceof Comparison comparison) {
      out.append(comparison.property()).append(' ').append(comparison.operator().keyword());
      out.append(' ').append(literal(comparison.literal()));
    } else if (filter instanceof BooleanProperty bool) {
      out.append(bool.name());
    } else if (filter instanceof Constant constant) {
      out.append(constant.value());
    }
  }

  private static void join(List<Filter> operands, String word, boolean inside, StringBuilder out) {
    out.append(inside ? "(" : "");
    for (int i = 0; i < operands.size(); i++) {
      out.append(i == 0 ? "" : word);
      write(operands.get(i), true, out);
    }
    out.append(inside ? ")" : "");
  }

  /** Writes a literal in the form that a filter has. */
  static String literal(EdmValue value) {
    return switch (value.type()) {
      case STRING -> "'" + ((StringValue) value).value().replace("'", "''") + "'";
      case INT32 -> Integer.toString(((Int32Value) value).value());
      case INT64 -> ((Int64Value) value).value() + "L";
      case DOUBLE -> Double.toString(((DoubleValue) value).value());
      case BOOLEAN -> Boolean.toString(((BooleanValue) value).value());
      case DATE_TIME -> "datetime'" + DateTimeText.format(((DateTimeValue) value).ticks()) + "'";
      case GUID -> "guid'" + ((GuidValue) value).value() + "'";
      case BINARY -> "X'" + HexFormat.of().formatHex(((BinaryValue) value).value()) + "'";
    };
  }
}
