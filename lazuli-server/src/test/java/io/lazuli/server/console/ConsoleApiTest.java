package io.lazuli.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.ConsoleClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of routes in docs/console-api.md is that of the code. */
class ConsoleApiTest {
  private static final Pattern ROW =
      Pattern.compile("\\| ([a-z-]+) \\| `([A-Z]+ /[^`]*)` \\| (\\w+) \\|");

  @Test
  void theDocumentHasEveryRoute() throws IOException {
    Set<String> told = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "console-api.md")));
    while (row.find()) {
      told.add(row.group(1) + " " + row.group(2) + " " + row.group(3));
    }
    Set<String> there = new TreeSet<>();
    try (ConsoleClient console = new ConsoleClient()) {
      console
          .routes()
          .forEach(
              route ->
                  there.add(
                      route.name()
                          + " "
                          + route.line()
                          + " "
                          + (route.role() == null ? "anybody" : route.role().text())));
    }
    assertThat(told).isEqualTo(there);
  }
}
