package io.lazuli.client.pattern.key;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The format of one part of a compound key. Immutable and thread-safe.
 *
 * @see KeyFormat
 */
public final class KeyPart {
  private static final int LONG_DIGITS_MAX = 18;

  private final @Nullable Class<?> type;
  private final Function<Object, String> write;
  private final Function<String, Object> read;

  private KeyPart(
      @Nullable Class<?> type, Function<Object, String> write, Function<String, Object> read) {
    this.type = type;
    this.write = write;
    this.read = read;
  }

  /**
   * Returns a part that is the same in every key, such as {@code empid}. The record has no
   * component for it.
   */
  public static KeyPart literal(String text) {
    return new KeyPart(null, value -> text, read -> text);
  }

  /** Returns a part for any text: a {@code String} component. */
  public static KeyPart text() {
    return of(String.class, Function.identity(), Function.identity());
  }

  /**
   * Returns a part for a number that is not negative: an {@code int} or {@code long} component. It
   * is written with leading zeros, so that keys sort like the numbers.
   *
   * @param digits the number of digits, 1 to 18; a number with more is rejected
   */
  public static KeyPart number(int digits) {
    if (digits < 1 || digits > LONG_DIGITS_MAX) {
      throw new IllegalArgumentException("the number of digits must be 1 to 18, not " + digits);
    }
    return new KeyPart(Number.class, value -> padded((Number) value, digits), Long::valueOf);
  }

  private static String padded(Number value, int digits) {
    String text = Long.toString(value.longValue());
    if (value.longValue() < 0 || text.length() > digits) {
      throw new IllegalArgumentException(
          text + " is not a number of at most " + digits + " digits");
    }
    return "0".repeat(digits - text.length()) + text;
  }

  /**
   * Returns a part for values of any type, which are converted to text: {@code of(LocalDate.class,
   * LocalDate::toString, LocalDate::parse)}.
   *
   * @param write converts a value to text; if the order of keys matters, the texts must sort like
   *     the values
   */
  public static <V> KeyPart of(
      Class<V> type, Function<? super V, String> write, Function<String, ? extends V> read) {
    return new KeyPart(type, value -> write.apply(type.cast(value)), read::apply);
  }

  boolean isLiteral() {
    return type == null;
  }

  boolean fits(Class<?> component) {
    if (type == Number.class) {
      return component == int.class || component == long.class;
    }
    return component == type;
  }

  String text(Object value) {
    if (type != null && !type.isInstance(value)) {
      throw new IllegalArgumentException(
          "this part of the key must be a "
              + type.getSimpleName()
              + ", not a "
              + value.getClass().getSimpleName());
    }
    return write.apply(value);
  }

  /** Parses a text and returns the value in the type of the record component. */
  Object value(String text, Class<?> component) {
    Object value = read.apply(text);
    if (!text(value).equals(text)) {
      throw new IllegalArgumentException(
          "this part of the key is not in its canonical form: " + text);
    }
    return component == int.class ? (Object) Math.toIntExact((Long) value) : value;
  }
}
