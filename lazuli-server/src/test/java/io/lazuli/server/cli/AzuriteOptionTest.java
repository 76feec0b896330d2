package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AzuriteOptionTest {
  private static final Path PAGE = Path.of("..", "docs", "azurite.md");
  private static final String BEGIN = "<!-- options -->\n";
  private static final String END = "<!-- end -->\n";

  /** The options that {@code azurite --help} of 3.37.0 lists. */
  @Test
  void everyOptionOfAzuriteIsKnown() {
    assertThat(AzuriteOption.names())
        .containsExactlyInAnyOrder(
            "blobHost",
            "blobKeepAliveTimeout",
            "blobPort",
            "cert",
            "debug",
            "disableProductStyleUrl",
            "disableTelemetry",
            "extentMemoryLimit",
            "help",
            "inMemoryPersistence",
            "key",
            "location",
            "loose",
            "oauth",
            "pwd",
            "queueHost",
            "queueKeepAliveTimeout",
            "queuePort",
            "silent",
            "skipApiVersionCheck",
            "tableHost",
            "tableKeepAliveTimeout",
            "tablePort",
            "version");
  }

  @Test
  void everySettingThatAnOptionNamesExists() {
    assertThat(AzuriteOption.values())
        .allMatch(option -> option.setting().isEmpty() || Settings.find(option.setting()) != null);
  }

  /**
   * With {@code -Ddocs.write=true} the test writes the table of the page instead of comparing it.
   */
  @Test
  void theDocumentHasThisTable() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(begin).isLessThanOrEqualTo(end);
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
      return;
    }
    assertThat(page.substring(begin, end)).isEqualTo(table());
  }

  private static String table() {
    return "| option | here |\n| --- | --- |\n"
        + Arrays.stream(AzuriteOption.values())
            .map(option -> "| `" + option.usage() + "` | " + option.meaning() + " |\n")
            .collect(Collectors.joining());
  }
}
