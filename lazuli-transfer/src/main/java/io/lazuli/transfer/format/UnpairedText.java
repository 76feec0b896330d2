package io.lazuli.transfer.format;

import com.fasterxml.jackson.core.JsonParser;
import io.lazuli.transfer.entity.EntityJson;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Json;
import java.io.IOException;

/**
 * Strings with unpaired surrogates. The service stores them, and UTF-8 cannot express them. CSV and
 * Parquet contain them as JSON strings, under a type of their own.
 */
public final class UnpairedText {
  /** The end of the type's name. */
  public static final String SUFFIX = "+json";

  private UnpairedText() {}

  static boolean needsEscape(String text) {
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

  public static String escape(String text) {
    StringBuilder out = new StringBuilder();
    EntityJson.quote(text, out);
    return out.toString();
  }

  public static String unescape(String json) {
    try (JsonParser parser = Json.FACTORY.createParser(json)) {
      parser.nextToken();
      return parser.getText();
    } catch (IOException e) {
      throw new TransferException("not a JSON string: " + json, e);
    }
  }
}
