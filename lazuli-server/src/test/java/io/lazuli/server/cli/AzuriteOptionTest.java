package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.config.DocumentedTable;
import io.lazuli.server.config.Settings;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AzuriteOptionTest {
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

  @Test
  void theDocumentHasThisTable() throws IOException {
    new DocumentedTable("azurite.md", "options").assertIs(table());
  }

  private static String table() {
    return "| option | here |\n| --- | --- |\n"
        + Arrays.stream(AzuriteOption.values())
            .map(option -> "| `" + option.usage() + "` | " + option.meaning() + " |\n")
            .collect(Collectors.joining());
  }
}
