package io.lazuli.server.table.model;

import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.StringValue;
import java.util.List;

/**
 * Checks the limits of an entity and throws the errors that the service defines (table-rest 5.2,
 * 5.3).
 */
public final class EntityLimits {
  public static final int PROPERTIES_MAX = 252;
  public static final int ENTITY_BYTES_MAX = 1 << 20;
  public static final int KEY_UNITS_MAX = 1024;
  private static final int NAME_UNITS_MAX = 255;
  private static final int STRING_UNITS_MAX = 32_768;
  private static final int BINARY_BYTES_MAX = 65_536;

  private EntityLimits() {}

  /** Checks the number of the properties and their names. */
  public static void checkNames(List<Property> properties) {
    if (properties.size() > PROPERTIES_MAX) {
      throw TableErrors.TOO_MANY_PROPERTIES.exception();
    }
    for (Property property : properties) {
      checkName(property.name());
    }
  }

  /**
   * Checks the size of each value.
   *
   * @param recordLength the length of the encoded properties; a short record has no value that is
   *     too large
   */
  public static void checkValues(List<Property> properties, int recordLength) {
    if (recordLength > STRING_UNITS_MAX) {
      for (Property property : properties) {
        checkValue(property.value());
      }
    }
  }

  /** Checks a key that came in a body; the error names the parameter. */
  public static void checkBodyKey(String name, String key) {
    if (hasForbidden(key)) {
      throw TableErrors.VALUE_OUT_OF_RANGE.exception().with("name", name).with("value", key);
    }
    checkKeyText(key);
  }

  /** Checks a key that came in a URL (table-rest 5.2, second table). */
  public static void checkPathKey(String key) {
    if (key.indexOf('/') >= 0 || key.indexOf('\\') >= 0) {
      throw TableErrors.INVALID_PATH.exception();
    }
    if (hasForbidden(key)) {
      throw TableErrors.OUT_OF_RANGE.exception();
    }
    checkKeyText(key);
  }

  private static void checkKeyText(String key) {
    if (key.length() > KEY_UNITS_MAX) {
      throw TableErrors.PROPERTY_VALUE_TOO_LARGE.exception();
    }
    if (hasUnpairedSurrogate(key)) {
      throw TableErrors.INVALID_INPUT.exception();
    }
  }

  private static boolean hasForbidden(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == '/' || c == '\\' || c == '#' || c == '?') {
        return true;
      }
    }
    return false;
  }

  private static boolean hasUnpairedSurrogate(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (Character.isSurrogate(key.charAt(i))) {
        if (Character.charCount(key.codePointAt(i)) != 2) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private static void checkName(String name) {
    if (name.length() > NAME_UNITS_MAX) {
      throw TableErrors.PROPERTY_NAME_TOO_LONG.exception();
    }
    if (!isIdentifier(name)) {
      throw TableErrors.PROPERTY_NAME_INVALID.exception();
    }
  }

  /**
   * Returns true for a letter or an underscore, followed by letters, underscores and digits.
   * Letters of any script are allowed.
   */
  private static boolean isIdentifier(String name) {
    int c;
    for (int i = 0; i < name.length(); i += Character.charCount(c)) {
      c = name.codePointAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!letter && !(i == 0 ? Character.isLetter(c) : Character.isLetterOrDigit(c))) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static void checkValue(EdmValue value) {
    boolean tooLarge =
        switch (value.type()) {
          case STRING -> ((StringValue) value).value().length() > STRING_UNITS_MAX;
          case BINARY -> ((BinaryValue) value).value().length > BINARY_BYTES_MAX;
          case INT32, INT64, DOUBLE, BOOLEAN, DATE_TIME, GUID -> false;
        };
    if (tooLarge) {
      throw TableErrors.PROPERTY_VALUE_TOO_LARGE.exception();
    }
  }
}
