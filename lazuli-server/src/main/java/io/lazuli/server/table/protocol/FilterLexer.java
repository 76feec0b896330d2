package io.lazuli.server.table.protocol;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.DateTimeText;
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
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits the text of a filter into tokens and reads its literals. Text that is not a token is a
 * syntax error. Mutable: it is positioned on one token at a time.
 */
final class FilterLexer {
  enum Kind {
    OPEN,
    CLOSE,
    MINUS,
    NAME,
    LITERAL,
    END
  }

  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
  private static final Pattern REAL =
      Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?[dD]?");

  private final String text;
  private int at;
  private int start;
  private Kind kind = Kind.END;
  private String name = "";
  private EdmValue literal = new BooleanValue(false);

  FilterLexer(String text) {
    this.text = text;
  }

  Kind kind() {
    return kind;
  }

  /** Returns the current name; empty if the current token is not a name. */
  String name() {
    return kind == Kind.NAME ? name : "";
  }

  /** Returns the current literal. */
  EdmValue literal() {
    return literal;
  }

  /** Returns where the current token begins; the length of the text after the last one. */
  int start() {
    return start;
  }

  /** Returns where the current token ends. */
  int end() {
    return at;
  }

  /** Returns the error for an unexpected token; its position is the end of the token. */
  ServiceException syntaxError() {
    return TableErrors.FILTER_SYNTAX
        .exception()
        .with("position", Integer.toString(at))
        .with("text", text);
  }

  /** Moves to the next token. */
  void advance() {
    while (at < text.length() && isBlank(text.charAt(at))) {
      at++;
    }
    start = at;
    if (at == text.length()) {
      kind = Kind.END;
      return;
    }
    char c = text.charAt(at);
    if (c == '(' || c == ')') {
      at++;
      kind = c == '(' ? Kind.OPEN : Kind.CLOSE;
    } else if (c == '\'') {
      literal(new StringValue(quoted()));
    } else if (c == '-') {
      minus();
    } else if (isDigit(c)) {
      literal(number());
    } else {
      word();
    }
  }

  private void literal(@Nullable EdmValue value) {
    if (value == null) {
      throw syntaxError();
    }
    literal = value;
    kind = Kind.LITERAL;
  }

  /**
   * Reads a minus sign. It belongs to a number if one follows immediately; otherwise it is an
   * operator.
   */
  private void minus() {
    if (at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
      literal(number());
      return;
    }
    at++;
    int start = at;
    String word = identifier();
    if (word.equals("INF") || word.equals("Infinity")) {
      literal(new DoubleValue(Double.NEGATIVE_INFINITY));
    } else {
      at = start;
      kind = Kind.MINUS;
    }
  }

  private void word() {
    String word = identifier();
    if (word.isEmpty()) {
      at++;
      throw syntaxError();
    }
    boolean quote = at < text.length() && text.charAt(at) == '\'';
    if (quote && isPrefix(word)) {
      literal(prefixed(word, quoted()));
      return;
    }
    EdmValue constant = constant(word);
    if (constant != null) {
      literal(constant);
    } else {
      name = word;
      kind = Kind.NAME;
    }
  }

  private static @Nullable EdmValue constant(String word) {
    return switch (word) {
      case "true" -> new BooleanValue(true);
      case "false" -> new BooleanValue(false);
      case "NaN" -> new DoubleValue(Double.NaN);
      case "INF", "Infinity" -> new DoubleValue(Double.POSITIVE_INFINITY);
      default -> null;
    };
  }

  private static boolean isPrefix(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "datetime", "guid", "binary", "x" -> true;
      default -> false;
    };
  }

  private static @Nullable EdmValue prefixed(String prefix, String content) {
    return switch (prefix.toLowerCase(Locale.ROOT)) {
      case "datetime" -> dateTime(content);
      case "guid" -> EdmReader.isGuid(content) ? new GuidValue(UUID.fromString(content)) : null;
      default -> binary(content);
    };
  }

  private static @Nullable EdmValue dateTime(String content) {
    Long ticks = DateTimeText.parse(content);
    return ticks == null ? null : new DateTimeValue(ticks);
  }

  private static @Nullable EdmValue binary(String content) {
    return isHex(content) ? new BinaryValue(HexFormat.of().parseHex(content)) : null;
  }

  private static boolean isHex(String content) {
    return content.length() % 2 == 0 && content.chars().allMatch(HexFormat::isHexDigit);
  }

  /** Reads a quoted text, including its closing quote; a doubled quote stands for one quote. */
  private String quoted() {
    StringBuilder content = new StringBuilder();
    int from = at + 1;
    while (true) {
      int quote = text.indexOf('\'', from);
      if (quote < 0) {
        at = text.length();
        throw syntaxError();
      }
      content.append(text, from, quote);
      at = quote + 1;
      if (at == text.length() || text.charAt(at) != '\'') {
        return content.toString();
      }
      content.append('\'');
      from = at + 1;
    }
  }

  private @Nullable EdmValue number() {
    int start = at;
    at++;
    while (at < text.length() && isInNumber(text.charAt(at), text.charAt(at - 1))) {
      at++;
    }
    String digits = text.substring(start, at);
    int last = digits.length() - 1;
    if (digits.charAt(last) == 'L' || digits.charAt(last) == 'l') {
      Long value = integer(digits.substring(0, last));
      return value == null ? null : new Int64Value(value);
    }
    if (!INTEGER.matcher(digits).matches()) {
      return REAL.matcher(digits).matches() ? new DoubleValue(Double.parseDouble(digits)) : null;
    }
    Long value = integer(digits);
    if (value == null) {
      return null;
    }
    return value == value.intValue() ? new Int32Value(value.intValue()) : new Int64Value(value);
  }

  private static @Nullable Long integer(String digits) {
    try {
      return INTEGER.matcher(digits).matches() ? Long.valueOf(digits) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static boolean isInNumber(char c, char before) {
    boolean exponentSign = (c == '+' || c == '-') && (before == 'e' || before == 'E');
    return exponentSign || c == '.' || c == '_' || Character.isLetterOrDigit(c);
  }

  /** Returns the identifier at this position; empty if there is none. */
  private String identifier() {
    int start = at;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      boolean fits = at == start ? Character.isLetter(point) : Character.isLetterOrDigit(point);
      if (!fits && point != '_') {
        break;
      }
      at += Character.charCount(point);
    }
    return text.substring(start, at);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
