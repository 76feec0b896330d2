package io.lazuli.server.table.query;

import io.lazuli.server.table.model.EdmValue;
import java.util.ArrayList;
import java.util.List;

/**
 * What an entity must be like to be found: a tree of conditions. Immutable. Every condition is true
 * or false for every entity; there is no third answer (table-rest 7.4).
 */
public sealed interface Filter {
  /** Every entity matches. */
  Filter ALL = new Constant(true);

  /** No entity matches. */
  Filter NONE = new Constant(false);

  /** True if all operands are. */
  record And(List<Filter> operands) implements Filter {
    public And {
      operands = List.copyOf(operands);
    }
  }

  /** True if one of the operands is. */
  record Or(List<Filter> operands) implements Filter {
    public Or {
      operands = List.copyOf(operands);
    }
  }

  /** True if the operand is not. */
  record Not(Filter operand) implements Filter {}

  /** Compares a property with a constant; false for entities without that property. */
  record Comparison(String property, Operator operator, EdmValue literal) implements Filter {}

  /** True if the property is a Boolean and true. */
  record BooleanProperty(String name) implements Filter {}

  /** The same for every entity. */
  record Constant(boolean value) implements Filter {}

  /** The conjunction in its plainest form: constants and single operands vanish. */
  static Filter and(List<Filter> operands) {
    return plainest(operands, true);
  }

  /** The disjunction in its plainest form: constants and single operands vanish. */
  static Filter or(List<Filter> operands) {
    return plainest(operands, false);
  }

  private static Filter plainest(List<Filter> operands, boolean conjunction) {
    List<Filter> kept = new ArrayList<>();
    for (Filter operand : operands) {
      if (!(operand instanceof Constant constant)) {
        kept.add(operand);
      } else if (constant.value() != conjunction) {
        return constant;
      }
    }
    if (kept.isEmpty()) {
      return conjunction ? ALL : NONE;
    }
    if (kept.size() == 1) {
      return kept.get(0);
    }
    return conjunction ? new And(kept) : new Or(kept);
  }
}
