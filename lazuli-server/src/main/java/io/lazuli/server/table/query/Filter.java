package io.lazuli.server.table.query;

import io.lazuli.server.table.model.EdmValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition on entities, as a tree. Immutable. Every condition is either true or false for every
 * entity (table-rest 7.4).
 */
public sealed interface Filter {
  /** Every entity matches. */
  Filter ALL = new Constant(true);

  /** No entity matches. */
  Filter NONE = new Constant(false);

  /** True if all operands are true. */
  record And(List<Filter> operands) implements Filter {
    public And {
      operands = List.copyOf(operands);
    }
  }

  /** True if at least one operand is true. */
  record Or(List<Filter> operands) implements Filter {
    public Or {
      operands = List.copyOf(operands);
    }
  }

  /** True if the operand is false. */
  record Not(Filter operand) implements Filter {}

  /** Compares a property with a constant. False for entities without that property. */
  record Comparison(String property, Operator operator, EdmValue literal) implements Filter {}

  /** True if the property is a Boolean and is true. */
  record BooleanProperty(String name) implements Filter {}

  /** A condition that is true for every entity, or false for every entity. */
  record Constant(boolean value) implements Filter {}

  /** Returns the conjunction, simplified: constants and single operands disappear. */
  static Filter and(List<Filter> operands) {
    return plainest(operands, true);
  }

  /** Returns the disjunction, simplified: constants and single operands disappear. */
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
