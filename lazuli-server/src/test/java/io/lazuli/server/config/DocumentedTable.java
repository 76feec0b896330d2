package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A table of a document that a test computes.
 *
 * @param page the name of the document
 * @param mark the comment before the table
 */
public record DocumentedTable(String page, String mark) {
  private static final String END = "<!-- end -->\n";

  /**
   * Fails unless the document has this table. With {@code -Ddocs.write=true} it writes the table
   * instead.
   */
  public void assertIs(String table) throws IOException {
    Path file = Path.of("..", "docs", page);
    String text = Files.readString(file);
    String begins = "<!-- " + mark + " -->\n";
    int begin = text.indexOf(begins) + begins.length();
    int end = text.indexOf(END);
    assertThat(begin).isLessThanOrEqualTo(end);
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(file, text.substring(0, begin) + table + text.substring(end));
      return;
    }
    assertThat(text.substring(begin, end)).isEqualTo(table);
  }
}
