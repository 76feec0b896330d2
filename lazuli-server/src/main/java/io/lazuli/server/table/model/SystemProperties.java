package io.lazuli.server.table.model;

import org.jspecify.annotations.Nullable;

/** The properties that every entity has. */
public final class SystemProperties {
  public static final String PARTITION_KEY = "PartitionKey";
  public static final String ROW_KEY = "RowKey";
  public static final String TIMESTAMP = "Timestamp";

  private SystemProperties() {}

  /** Returns the type of a system property; null for any other name. */
  public static @Nullable EdmType type(String name) {
    return switch (name) {
      case PARTITION_KEY, ROW_KEY -> EdmType.STRING;
      case TIMESTAMP -> EdmType.DATE_TIME;
      default -> null;
    };
  }

  public static boolean isKey(String name) {
    return name.equals(PARTITION_KEY) || name.equals(ROW_KEY);
  }
}
