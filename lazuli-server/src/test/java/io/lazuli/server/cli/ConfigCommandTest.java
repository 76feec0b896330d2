package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.config.Setting;
import io.lazuli.server.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void everySettingIsPrintedWithItsOrigin() throws IOException {
    Path file = folder.resolve("lazuli.properties");
    Files.writeString(file, "blob-port = 20000\ntls-cert = server.pfx\ntls-password = hush\n");
    int exit =
        run(
            Map.of("LAZULI_TABLE_PORT", "0", "LAZULI_DATA", folder.toString()),
            "config",
            "--host",
            "0.0.0.0",
            "--strict-paths",
            "--host-style=false");
    assertThat(exit).isZero();
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .startsWith("file: " + file, "data " + folder + " LAZULI_DATA", "engine rocksdb default")
        .contains(
            "in-memory false default",
            "accounts - default",
            "blob-port 20000 " + file + ":1",
            "queue-port 10001 default",
            "table-port 0 LAZULI_TABLE_PORT",
            "table-host 0.0.0.0 --host",
            "strict-paths true --strict-paths",
            "host-style false --host-style",
            "tls-password **** " + file + ":3");
    assertThat(out.toString()).hasLineCount(1 + Settings.ALL.size()).doesNotContain("hush");
  }

  @Test
  void aMistakeIsReportedWithItsPosition() throws IOException {
    Path file = Files.writeString(folder.resolve("any"), "tabel-port = 1");
    assertThat(run(Map.of(), "config", "--config", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("lazuli: " + file + ":1: unknown key tabel-port; did you mean table-port?");
    assertThat(run(Map.of("LAZULI_TABLE_PORT", "x"), "serve")).isEqualTo(2);
    assertThat(err.toString()).contains("lazuli: LAZULI_TABLE_PORT must be a number from 0");
    assertThat(run(Map.of(), "serve", "--tabel-port", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("--table-port");
  }

  @Test
  void helpListsAnOptionForEachSetting() {
    assertThat(run(Map.of(), "serve", "--help")).isZero();
    for (Setting setting : Settings.ALL) {
      assertThat(out.toString()).contains(setting.option());
    }
    assertThat(out.toString()).contains("Default: 10002").contains("--config=FILE");
  }

  private int run(Map<String, String> environment, String... args) {
    Secrets secrets = new Secrets(InputStream.nullInputStream(), environment);
    CommandLine commandLine = Main.commandLine(secrets, environment);
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }
}
