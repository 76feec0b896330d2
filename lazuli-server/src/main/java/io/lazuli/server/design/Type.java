package io.lazuli.server.design;

/** The type of a property, by its name in the protocol. */
public enum Type {
  STRING("String", 32),
  INT32("Int32", 4),
  INT64("Int64", 8),
  DOUBLE("Double", 8),
  BOOLEAN("Boolean", 1),
  DATETIME("DateTime", 8),
  GUID("Guid", 16),
  BINARY("Binary", 256);

  private final String text;
  private final int usualBytes;

  Type(String text, int usualBytes) {
    this.text = text;
    this.usualBytes = usualBytes;
  }

  public String text() {
    return text;
  }

  /** Returns the bytes of a value whose size nobody stated. */
  public int usualBytes() {
    return usualBytes;
  }

  /** Returns whether values may be part of a key. */
  boolean fitsKey() {
    return this != DOUBLE && this != BINARY;
  }

  boolean isNumber() {
    return this == INT32 || this == INT64 || this == DOUBLE;
  }

  /** Returns the type of a name; throws if there is none. */
  public static Type of(String name) {
    for (Type type : values()) {
      if (type.text.equals(name)) {
        return type;
      }
    }
    throw ModelErrors.invalid("A property has a type that tables do not have.");
  }
}
