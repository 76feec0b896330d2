package io.lazuli.server.design;

import java.util.Locale;

/**
 * A part of a key. Parts are joined by underscores.
 *
 * @param name the property, or the text of a literal
 * @param digits the digits of a padded number; 0 for others
 */
public record KeyPart(Form form, String name, int digits) {
  /** How a value is written, so that keys sort like values. */
  public enum Form {
    /** A fixed word, which tells kinds of rows apart. */
    LITERAL,
    /** A text as it is. */
    TEXT,
    /** A number with leading zeros. */
    PADDED,
    /** A time in UTC, the oldest first. */
    TIME,
    /** The ticks until the year 9999, the newest first. */
    REVERSED_TICKS,
    /** The day of a time. */
    DAY
  }

  static KeyPart literal(String word) {
    return new KeyPart(Form.LITERAL, word, 0);
  }

  /** Returns the part for a property. */
  static KeyPart of(EntityType entity, String name, boolean descending) {
    Property property = entity.property(name);
    return switch (property.type()) {
      case INT32, INT64 -> new KeyPart(Form.PADDED, name, digits(entity, property));
      case DATETIME -> new KeyPart(descending ? Form.REVERSED_TICKS : Form.TIME, name, 0);
      default -> new KeyPart(Form.TEXT, name, 0);
    };
  }

  private static int digits(EntityType entity, Property property) {
    if (property.digits() > 0) {
      return property.digits();
    }
    int most = property.type() == Type.INT32 ? 10 : 18;
    return Math.min(
        most, Math.max(6, Long.toString(entity.distinct(property.name())).length() + 1));
  }

  boolean isLiteral() {
    return form == Form.LITERAL;
  }

  /** Returns the part as it is shown: {@code {id, 6 digits}}. */
  String template() {
    return switch (form) {
      case LITERAL -> name;
      case TEXT, TIME -> "{" + name + "}";
      case PADDED -> String.format(Locale.ROOT, "{%s, %d digits}", name, digits);
      case REVERSED_TICKS -> "{" + name + ", reversed ticks}";
      case DAY -> "{day of " + name + "}";
    };
  }
}
