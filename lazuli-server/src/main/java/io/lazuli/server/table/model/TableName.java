package io.lazuli.server.table.model;

import io.lazuli.server.error.CommonErrors;
import java.util.Locale;

/** A valid name of a table; names are compared without regard to case. */
public record TableName(String text) {
  private static final int LENGTH_MIN = 3;
  private static final int LENGTH_MAX = 63;

  /** Returns the name of a table of the client or of the server, or throws the error. */
  public static TableName of(String text) {
    TableName own = SystemTables.find(text);
    return own == null ? require(text) : own;
  }

  /**
   * Returns a name that a client may give a table, or throws the error that the service defines.
   * The length is checked first (table-rest 5.1).
   */
  public static TableName require(String text) {
    if (text.length() < LENGTH_MIN || text.length() > LENGTH_MAX) {
      throw CommonErrors.NAME_LENGTH_OUT_OF_RANGE.exception();
    }
    if (!isLetter(text.charAt(0)) || text.equalsIgnoreCase("tables")) {
      throw CommonErrors.INVALID_RESOURCE_NAME.exception();
    }
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isLetter(c) && (c < '0' || c > '9')) {
        throw CommonErrors.INVALID_RESOURCE_NAME.exception();
      }
    }
    return new TableName(text);
  }

  /** Returns whether only the server writes to the table. */
  public boolean isSystem() {
    return SystemTables.contains(text);
  }

  /** Returns the key of the table in the catalogue. */
  public String key() {
    return text.toLowerCase(Locale.ROOT);
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
