package io.lazuli.client.query;

import java.util.Locale;

/**
 * A property compared with a value.
 *
 * @param mapped whether a codec has this property; otherwise the caller gave its name
 */
record Comparison(String property, Operator operator, Literal literal, boolean mapped)
    implements Filter {
  /** The comparison operators of the service. */
  enum Operator {
    EQ,
    NE,
    GT,
    GE,
    LT,
    LE
  }

  @Override
  public String text() {
    return property + " " + operator.name().toLowerCase(Locale.ROOT) + " " + literal.text();
  }

  @Override
  public String toString() {
    return text();
  }
}
