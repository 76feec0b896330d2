package io.lazuli.client.query;

/** The opposite of a condition. */
record Negation(Filter condition) implements Filter {
  @Override
  public String text() {
    return "not (" + condition.text() + ")";
  }

  @Override
  public String toString() {
    return text();
  }
}
