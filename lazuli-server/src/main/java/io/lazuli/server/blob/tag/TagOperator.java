package io.lazuli.server.blob.tag;

import org.jspecify.annotations.Nullable;

/** The operators that compare the value of a tag. */
public enum TagOperator {
  EQUAL("="),
  NOT_EQUAL("<>"),
  GREATER(">"),
  GREATER_OR_EQUAL(">="),
  LESS("<"),
  LESS_OR_EQUAL("<=");

  private final String text;

  TagOperator(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** Returns true for the operators that bound a range from below. */
  boolean isLowerBound() {
    return this == GREATER || this == GREATER_OR_EQUAL;
  }

  /** Returns true for the operators that bound a range from above. */
  boolean isUpperBound() {
    return this == LESS || this == LESS_OR_EQUAL;
  }

  /** Returns the longest operator that stands at an index of a text; null if there is none. */
  static @Nullable TagOperator at(String text, int index) {
    TagOperator longest = null;
    for (TagOperator operator : values()) {
      boolean longer = longest == null || operator.text.length() > longest.text.length();
      if (text.startsWith(operator.text, index) && longer) {
        longest = operator;
      }
    }
    return longest;
  }

  /**
   * Returns whether a comparison holds.
   *
   * @param order the order of the tag's value relative to the value of the expression
   */
  boolean holds(int order) {
    return switch (this) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
    };
  }
}
