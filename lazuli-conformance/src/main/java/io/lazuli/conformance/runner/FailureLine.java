package io.lazuli.conformance.runner;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;

/** Describes a failure in one line: what the case expected and what it got. */
final class FailureLine {

  private static final int CHARS_MAX = 240;
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 (\\d{3}[^\\n\\r]*)");
  private static final Pattern CODE =
      Pattern.compile("\"code\":\"(\\w+)\"|<(?:m:)?[cC]ode>(\\w+)</");

  private FailureLine() {}

  static String of(Throwable failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    String said =
        compared(failure)
            .orElseGet(
                () ->
                    failure instanceof AssertionError
                        ? withoutDescription(message)
                        : failure.getClass().getSimpleName() + ": " + message);
    return line(said, CHARS_MAX) + answer(message);
  }

  private static Optional<String> compared(Throwable failure) {
    if (failure instanceof AssertionFailedError error
        && error.isExpectedDefined()
        && error.isActualDefined()) {
      return Optional.of(
          "expected " + shown(error.getExpected()) + ", was " + shown(error.getActual()));
    }
    return Optional.empty();
  }

  private static String shown(ValueWrapper value) {
    return line(value.getStringRepresentation(), CHARS_MAX / 2);
  }

  /**
   * Removes the description of an assertion. The cases use the whole answer as the description,
   * which AssertJ puts in brackets before the message.
   */
  private static String withoutDescription(String message) {
    int end = message.indexOf("] \n");
    return message.startsWith("[") && end > 0 ? message.substring(end + 2) : message;
  }

  /**
   * Returns the status and the error code of the answer that the message contains, or an empty
   * string.
   */
  private static String answer(String message) {
    Matcher status = STATUS_LINE.matcher(message);
    if (!status.find()) {
      return "";
    }
    Matcher code = CODE.matcher(message);
    String error = "";
    if (code.find()) {
      error = " " + (code.group(1) == null ? code.group(2) : code.group(1));
    }
    return " (answer: " + status.group(1).strip() + error + ")";
  }

  /** Returns the text on one line, cut to a length. Unpaired surrogates become question marks. */
  static String line(String text, int charsMax) {
    String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    String cut = line.length() <= charsMax ? line : line.substring(0, charsMax - 1) + "…";
    return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
