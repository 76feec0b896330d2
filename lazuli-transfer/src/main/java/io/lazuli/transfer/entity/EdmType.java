package io.lazuli.transfer.entity;

import org.jspecify.annotations.Nullable;

/** The types of properties. {@link #NULL} is the type of a property without a value. */
public enum EdmType {
  STRING("Edm.String"),
  INT32("Edm.Int32"),
  INT64("Edm.Int64"),
  DOUBLE("Edm.Double"),
  BOOLEAN("Edm.Boolean"),
  DATE_TIME("Edm.DateTime"),
  GUID("Edm.Guid"),
  BINARY("Edm.Binary"),
  NULL("Edm.Null");

  private static final String PREFIX = "Edm.";

  private final String label;

  EdmType(String label) {
    this.label = label;
  }

  /** Returns the name as in the protocol. */
  public String label() {
    return label;
  }

  /** Returns the name without {@code Edm.}. */
  public String shortLabel() {
    return label.substring(PREFIX.length());
  }

  /** Finds a type by its name, with or without {@code Edm.}. */
  public static @Nullable EdmType find(String label) {
    for (EdmType type : values()) {
      if (type.label.equals(label) || type.shortLabel().equals(label)) {
        return type;
      }
    }
    return null;
  }
}
