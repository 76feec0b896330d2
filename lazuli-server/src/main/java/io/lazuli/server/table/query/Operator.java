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

  /** Bit 0 stands for less, bit 1 for equal, bit 2 for greater. */
  private final int orders;

  Operator(String keyword, String kind, int orders) {
    this.keyword = keyword;
    this.kind = kind;
    this.orders = orders;
  }

  /** As written in a filter. */
  public String keyword() {
    return keyword;
  }

  /** As named in error texts. */
  public String kind() {
    return kind;
  }

  /**
   * True if the comparison holds for two values in that order.
   *
   * @param order as a comparator gives it
   */
  public boolean accepts(int order) {
    return (orders & 1 << (Integer.signum(order) + 1)) != 0;
  }

  /** What this operator says when the left operand becomes the right one. */
  public Operator mirrored() {
    return switch (this) {
      case EQ, NE -> this;
      case GT -> LT;
      case GE -> LE;
      case LT -> GT;
      case LE -> GE;
    };
  }

  /** What holds exactly when this does not, given that both values are there. */
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
   * The answer when property and literal have types that do not compare. This is the only place
   * that knows the rule (table-rest 7.4; not confirmed for the live service).
   */
  boolean holdsOnMismatch() {
    return this == NE || this == LT || this == LE;
  }

  /** The answer when one of the two is NaN, as IEEE 754 has it. */
  boolean holdsOnNan() {
    return this == NE;
  }
}
