package io.lazuli.server.table.explain;

import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.server.table.query.Operator;
import java.util.ArrayList;
import java.util.List;

/** The conditions of a filter, without its structure. */
record Conditions(List<Comparison> comparisons, int count) {
  static Conditions of(Filter filter) {
    List<Comparison> comparisons = new ArrayList<>();
    return new Conditions(comparisons, collect(filter, comparisons));
  }

  private static int collect(Filter filter, List<Comparison> out) {
    if (filter instanceof And and) {
      return and.operands().stream().mapToInt(each -> collect(each, out)).sum();
    } else if (filter instanceof Or or) {
      return or.operands().stream().mapToInt(each -> collect(each, out)).sum();
    } else if (filter instanceof Not not) {
      return collect(not.operand(), out);
    } else if (filter instanceof Comparison comparison) {
      out.add(comparison);
      return 1;
    }
    return filter instanceof BooleanProperty ? 1 : 0;
  }

  /** Returns the comparisons of a property. */
  List<Comparison> of(String property) {
    return comparisons.stream().filter(each -> each.property().equals(property)).toList();
  }

  /** Returns the comparisons of properties that are not keys. */
  List<Comparison> beyondKeys() {
    return comparisons.stream().filter(each -> !SystemProperties.isKey(each.property())).toList();
  }

  static boolean isOrdered(Comparison comparison) {
    return comparison.operator() != Operator.EQ && comparison.operator() != Operator.NE;
  }
}
