package io.lazuli.server.job.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.lazuli.server.job.JobFailure;
import java.io.IOException;

/** Texts in CSV. */
final class CsvText {
  /** The end of the column that has the type of another one. */
  static final String TYPE = "@type";

  /** The end of the type of a string that is written as JSON, because UTF-8 cannot express it. */
  static final String JSON = "+json";

  private static final JsonFactory FACTORY = new JsonFactory();

  private CsvText() {}

  /**
   * Keeps spreadsheets from taking a text for a formula: one that begins with =, +, -, @, a tab or
   * a line break gets an apostrophe. So does one that has apostrophes before such a character, so
   * that {@link #unguarded} gives every text back.
   */
  static String guarded(String text) {
    return isFormula(text, 0) ? "'" + text : text;
  }

  static String unguarded(String text) {
    return text.startsWith("'") && isFormula(text, 1) ? text.substring(1) : text;
  }

  private static boolean isFormula(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == '\'') {
      at++;
    }
    return at < text.length() && "=+-@\t\r\n".indexOf(text.charAt(at)) >= 0;
  }

  static boolean hasUnpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (Character.charCount(text.codePointAt(i)) != 2) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  /** Returns a JSON string in ASCII. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : JsonStringEncoder.getInstance().quoteAsString(text)) {
      if (c < 0x80) {
        out.append(c);
      } else {
        out.append("\\u%04x".formatted((int) c));
      }
    }
    return out.append('"').toString();
  }

  static String unquoted(String json) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      String text = parser.getText();
      return text == null ? "" : text;
    } catch (IOException e) {
      throw new JobFailure("a text with the type +json is not a JSON string", e);
    }
  }

  static void field(String text, StringBuilder out) {
    boolean isQuoted = false;
    for (int i = 0; i < text.length() && !isQuoted; i++) {
      isQuoted = ",\"\r\n \t;".indexOf(text.charAt(i)) >= 0;
    }
    out.append(isQuoted ? '"' + text.replace("\"", "\"\"") + '"' : text);
  }
}
