package io.lazuli.server.table.protocol;

/**
 * A JSON value that is neither an object nor an array.
 *
 * @param text the characters of the string, or the number or word as it was written
 */
record JsonScalar(Kind kind, String text) {
  /** The JSON type of the value. */
  enum Kind {
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  static final JsonScalar NULL = new JsonScalar(Kind.NULL, "null");
}
