package io.lazuli.server.table.explain;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** The sentences of explain, by key. One file has all of them, so that a translation is a file. */
public final class ExplainTexts {
  private static final Properties TEXTS = load();

  private ExplainTexts() {}

  /**
   * Returns a text.
   *
   * @param values names and values, alternating; they replace the names in braces
   */
  public static String of(String key, String... values) {
    String text = TEXTS.getProperty(key);
    if (text == null) {
      throw new IllegalArgumentException("no text has the key " + key);
    }
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf('{', at);
      int close = open < 0 ? -1 : text.indexOf('}', open);
      if (close < 0) {
        break;
      }
      out.append(text, at, open).append(value(text.substring(open + 1, close), values));
      at = close + 1;
    }
    return out.append(text.substring(at)).toString();
  }

  /** Returns a text with its names in braces. */
  static String pattern(String key) {
    return TEXTS.getProperty(key, "");
  }

  /** Returns the keys of all texts. */
  static Set<String> keys() {
    return new TreeSet<>(TEXTS.stringPropertyNames());
  }

  private static String value(String name, String... values) {
    for (int i = 0; i + 1 < values.length; i += 2) {
      if (values[i].equals(name)) {
        return values[i + 1];
      }
    }
    throw new IllegalArgumentException("no value for {" + name + "}");
  }

  private static Properties load() {
    Properties texts = new Properties();
    try (InputStream in = ExplainTexts.class.getResourceAsStream("texts.properties")) {
      if (in == null) {
        throw new IllegalStateException("the texts of explain are missing");
      }
      texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
