package io.lazuli.server.table.protocol;

/**
 * A JSON value that is no object and no array.
 *
 * @param text the string's characters, or the number or word as it was written
 */
record JsonScalar(Kind kind, String text) {
  /** What stood in the JSON text. */
  enum Kind {
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  static final JsonScalar NULL = new JsonScalar(Kind.NULL, "null");
}
