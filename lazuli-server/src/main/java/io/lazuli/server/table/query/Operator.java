package io.lazuli.server.table.query;

/** The six comparisons of a filter. */
public enum Operator {
  EQ("eq", "Equal", 0b010),
  NE("ne", "NotEqual", 0b101),
  GT("gt", "GreaterThan", 0b100),
  GE("ge", "GreaterThanOrEqual", 0b110),
  LT("lt", "LessThan", 0b001),
  LE("le", "LessThanOrEqual", 0b011);

  private final String keyword;
  private final String kind;

  /**
   * The orders for which the comparison holds: bit 0 for less, bit 1 for equal, bit 2 for greater.
   */
  private final int orders;

  Operator(String keyword, String kind, int orders) {
    this.keyword = keyword;
    this.kind = kind;
    this.orders = orders;
  }

  /** Returns the keyword of the operator in a filter. */
  public String keyword() {
    return keyword;
  }

  /** Returns the name of the operator in error texts. */
  public String kind() {
    return kind;
  }

  /**
   * Returns true if the comparison holds for two values in the given order.
   *
   * @param order the result of a comparator
   */
  public boolean accepts(int order) {
    return (orders & 1 << (Integer.signum(order) + 1)) != 0;
  }

  /** Returns the operator with the same meaning when the operands are swapped. */
  public Operator mirrored() {
    return switch (this) {
      case EQ, NE -> this;
      case GT -> LT;
      case GE -> LE;
      case LT -> GT;
      case LE -> GE;
    };
  }

  /**
   * Returns the operator that holds exactly when this one does not, provided that both values
   * exist.
   */
  public Operator negated() {
    return switch (this) {
      case EQ -> NE;
      case NE -> EQ;
      case GT -> LE;
      case GE -> LT;
      case LT -> GE;
      case LE -> GT;
    };
  }

  /**
   * Returns true if the comparison holds when the types of property and literal cannot be compared.
   * This is the only place that knows the rule (table-rest 7.4; not confirmed for the live
   * service).
   */
  boolean holdsOnMismatch() {
    return this == NE || this == LT || this == LE;
  }

  /** Returns true if the comparison holds when one of the values is NaN, as in IEEE 754. */
  boolean holdsOnNan() {
    return this == NE;
  }
}
