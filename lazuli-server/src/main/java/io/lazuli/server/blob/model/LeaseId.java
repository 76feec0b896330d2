package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses lease ids in all text forms of GUIDs; case does not matter. */
public final class LeaseId {
  private static final Pattern PLAIN =
      Pattern.compile(
          "(\\p{XDigit}{8})(\\p{XDigit}{4})(\\p{XDigit}{4})(\\p{XDigit}{4})(\\p{XDigit}{12})");
  private static final Pattern DASHED =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private LeaseId() {}

  /**
   * Returns the id, or throws 400. An id has 32 hexadecimal digits, with or without dashes, and
   * with or without braces or parentheses.
   */
  public static UUID require(String header, String text) {
    String bare = withoutBrackets(text.strip());
    Matcher plain = PLAIN.matcher(bare);
    String dashed = plain.matches() ? plain.replaceFirst("$1-$2-$3-$4-$5") : bare;
    if (!DASHED.matcher(dashed).matches()) {
      throw CommonErrors.INVALID_HEADER_VALUE
          .exception()
          .with("HeaderName", header)
          .with("HeaderValue", text);
    }
    return UUID.fromString(dashed);
  }

  private static String withoutBrackets(String text) {
    boolean bracketed =
        (text.startsWith("{") && text.endsWith("}"))
            || (text.startsWith("(") && text.endsWith(")"));
    return bracketed ? text.substring(1, text.length() - 1) : text;
  }
}
