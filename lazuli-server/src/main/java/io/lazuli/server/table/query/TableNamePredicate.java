package io.lazuli.server.table.query;

import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import java.util.Locale;

/**
 * Tests whether the name of a table matches a filter on {@code TableName}. Names are compared in
 * the order of listings: ordinally, in lower case.
 */
public final class TableNamePredicate {
  public static final String TABLE_NAME = "TableName";

  private TableNamePredicate() {}

  public static boolean test(Filter filter, String name) {
    return holds(filter, name.toLowerCase(Locale.ROOT));
  }

  private static boolean holds(Filter filter, String name) {
    if (filter instanceof And and) {
      return and.operands().stream().allMatch(operand -> holds(operand, name));
    } else if (filter instanceof Or or) {
      return or.operands().stream().anyMatch(operand -> holds(operand, name));
    } else if (filter instanceof Not not) {
      return !holds(not.operand(), name);
    } else if (filter instanceof Constant constant) {
      return constant.value();
    } else if (filter instanceof Comparison comparison
        && comparison.property().equals(TABLE_NAME)
        && comparison.literal() instanceof StringValue literal) {
      String lower = literal.value().toLowerCase(Locale.ROOT);
      return comparison.operator().accepts(name.compareTo(lower));
    }
    throw new IllegalArgumentException("not a filter on TableName");
  }
}
