package io.lazuli.client.query;

import java.util.Locale;

/** Two conditions, joined by {@code and} or {@code or}. */
record Junction(Filter left, Kind kind, Filter right) implements Filter {
  /** Whether both conditions must be true, or at least one. */
  enum Kind {
    AND,
    OR
  }

  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    appendTo(text, left);
    text.append(' ').append(kind.name().toLowerCase(Locale.ROOT)).append(' ');
    appendTo(text, right);
    return text.toString();
  }

  /**
   * Appends one of the two conditions. Omits the parentheses in a chain of one kind, because the
   * service limits how deep they may nest.
   */
  private void appendTo(StringBuilder text, Filter side) {
    boolean enclosed = side instanceof Junction junction && junction.kind != kind;
    text.append(enclosed ? "(" : "").append(side.text()).append(enclosed ? ")" : "");
  }

  @Override
  public String toString() {
    return text();
  }
}
