package io.lazuli.server.design;

import org.jspecify.annotations.Nullable;

/**
 * A property of an entity.
 *
 * @param bytes the bytes of a value
 * @param unique true if no two entities have the same value
 * @param distinct the number of different values; 0 if it is not known
 * @param digits the digits of the largest number, for keys; 0 if it is not known
 * @param refersTo the entity whose key the value is; null for none
 */
public record Property(
    String name,
    Type type,
    long bytes,
    boolean unique,
    long distinct,
    int digits,
    @Nullable String refersTo) {
  private static final long BYTES_MAX = 1L << 40;

  public Property {
    Model.checkName(name);
    if (bytes < 0 || bytes > BYTES_MAX || distinct < 0 || digits < 0 || digits > 18) {
      throw ModelErrors.invalid("A figure of a property is out of bounds.");
    }
  }

  /** Returns the name of the property in the table. */
  public String column() {
    return Names.column(name);
  }
}
