package io.lazuli.server.table.protocol;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.DateTimeText;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.protocol.JsonScalar.Kind;
import io.lazuli.storage.Ticks;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads typed values from JSON; an annotation or the JSON form gives the type (table-rest 4.3). */
public final class EdmReader {
  private static final Map<String, Double> NOT_FINITE =
      Map.of(
          "NaN", Double.NaN,
          "Infinity", Double.POSITIVE_INFINITY,
          "-Infinity", Double.NEGATIVE_INFINITY);
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");
  private static final DateTimeFormatter ERROR_TIME =
      DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private EdmReader() {}

  /** Reads the text of a value whose type is known; throws 400 if it does not fit the type. */
  public static EdmValue read(String name, EdmType type, String text) {
    return read(name, new JsonScalar(Kind.STRING, text), type.edmName());
  }

  /**
   * Reads a value; throws 400 if the text does not fit the type.
   *
   * @param name the name of the property, for the error text
   * @param annotation the type that the request states; null if it states none
   */
  static EdmValue read(String name, JsonScalar value, @Nullable String annotation) {
    if (annotation == null) {
      return infer(value);
    }
    EdmType type = EdmType.find(annotation);
    if (type == null) {
      throw invalid();
    }
    return switch (type) {
      case STRING -> new StringValue(requireString(value));
      case INT32 -> new Int32Value((int) integer(value, Integer.MIN_VALUE, Integer.MAX_VALUE));
      case INT64 -> new Int64Value(integer(value, Long.MIN_VALUE, Long.MAX_VALUE));
      case DOUBLE -> new DoubleValue(floating(value));
      case BOOLEAN -> new BooleanValue(bool(value));
      case DATE_TIME -> new DateTimeValue(time(name, requireString(value)));
      case GUID -> new GuidValue(guid(requireString(value)));
      case BINARY -> new BinaryValue(binary(requireString(value)));
    };
  }

  private static EdmValue infer(JsonScalar value) {
    return switch (value.kind()) {
      case STRING -> new StringValue(value.text());
      case BOOLEAN -> new BooleanValue(bool(value));
      case NUMBER ->
          isInteger(value.text())
              ? new Int32Value((int) integer(value, Integer.MIN_VALUE, Integer.MAX_VALUE))
              : new DoubleValue(floating(value));
      case NULL -> throw invalid();
    };
  }

  private static boolean isInteger(String number) {
    for (int i = 0; i < number.length(); i++) {
      char c = number.charAt(i);
      if (c == '.' || c == 'e' || c == 'E') {
        return false;
      }
    }
    return true;
  }

  private static long integer(JsonScalar value, long min, long max) {
    if (value.kind() == Kind.BOOLEAN) {
      throw invalid();
    }
    try {
      long number = Long.parseLong(value.text());
      if (number < min || number > max) {
        throw invalid();
      }
      return number;
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  private static double floating(JsonScalar value) {
    if (value.kind() == Kind.BOOLEAN) {
      throw invalid();
    }
    if (value.kind() == Kind.STRING && NOT_FINITE.containsKey(value.text())) {
      return NOT_FINITE.get(value.text());
    }
    if (value.kind() == Kind.STRING && !DECIMAL.matcher(value.text()).matches()) {
      throw invalid();
    }
    double number = Double.parseDouble(value.text());
    if (Double.isInfinite(number)) {
      throw invalid();
    }
    return number;
  }

  /**
   * Reads a Boolean. A string may be in any letter case: Excel writes {@code FALSE} into CSV files.
   */
  private static boolean bool(JsonScalar value) {
    boolean isTrue = value.text().equalsIgnoreCase("true");
    if (value.kind() == Kind.NUMBER || !(isTrue || value.text().equalsIgnoreCase("false"))) {
      throw invalid();
    }
    return isTrue;
  }

  private static long time(String name, String text) {
    Long ticks = DateTimeText.parse(text);
    if (ticks == null) {
      throw invalid();
    }
    if (ticks < 0) {
      throw TableErrors.VALUE_OUT_OF_RANGE
          .exception()
          .with("name", name)
          .with("value", ERROR_TIME.format(Ticks.toInstant(ticks)));
    }
    return ticks;
  }

  private static UUID guid(String text) {
    if (!isGuid(text)) {
      throw invalid();
    }
    return UUID.fromString(text);
  }

  /**
   * Returns true if the text is a GUID with all its digits. {@link UUID#fromString} would accept
   * fewer.
   */
  static boolean isGuid(String text) {
    for (int i = 0; i < text.length(); i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      char c = text.charAt(i);
      if (dash ? c != '-' : c > 'f' || Character.digit(c, 16) < 0) {
        return false;
      }
    }
    return text.length() == 36;
  }

  /** Decodes Base64. Requires padding, as the live service does; Java's decoder does not. */
  private static byte[] binary(String text) {
    if (text.length() % 4 != 0) {
      throw invalid();
    }
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  private static String requireString(JsonScalar value) {
    if (value.kind() != Kind.STRING) {
      throw invalid();
    }
    return value.text();
  }

  private static ServiceException invalid() {
    return TableErrors.INVALID_BODY.exception();
  }
}
