package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.Version;
import io.lazuli.server.http.RawConnection;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AzuriteCommandTest {
  private static final String NEWLINE = System.lineSeparator();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--oauth basic --inMemoryPersistence --blobPort 0 --queuePort 0 --tablePort 0|tokens need https: set tls-cert, or"
            + " tokens-over-http on loopback",
        "--oauth full|--oauth must be one of off, basic, not \"full\"",
        "--oauth|The --oauth option needs a value.",
        "--inMemoryPersistence -l x|The --inMemoryPersistence option is not supported when the"
            + " --location option is set.",
        "--extentMemoryLimit 5|The --extentMemoryLimit option is only supported when the"
            + " --inMemoryPersistence option is set.",
        "--debug|Must provide a debug log file path for parameter -d or --debug",
        "--blobHost --silent|The --blobHost option needs a value.",
        "--blobPort abc|--blobPort must be a number from 0 to 65535, not \"abc\"",
        "--inMemoryPersistence --extentMemoryLimit=-1|--extentMemoryLimit must be a number of MiB,"
            + " not \"-1\"",
        "--key x|tls-key and tls-password need a tls-cert",
      })
  void aRefusalIsOneLineAndExitCodeOne(String line, String message) {
    assertThat(run(Map.of(), line)).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("Exit due to unhandled error: " + message + NEWLINE);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anUnknownOptionIsReportedAsByAzuriteButExitsWithOne() {
    assertThat(run(Map.of(), "--blobPrt 1")).isEqualTo(1);
    assertThat(out.toString())
        .startsWith(
            "The option \"blobPrt\" is unknown. Did you mean the following one?"
                + NEWLINE
                + "--blobPort PORT  ");
    assertThat(run(Map.of(), "--somethingelse")).isEqualTo(1);
    assertThat(out.toString())
        .contains("is unknown. Here's a list of all available options:")
        .contains("--tableHost HOST");
  }

  @Test
  void helpAndVersionArePrinted() {
    assertThat(run(Map.of(), "-h")).isZero();
    assertThat(out.toString()).contains("-l, --location DIR");
    assertThat(run(Map.of(), "--version")).isZero();
    assertThat(out.toString()).endsWith(NEWLINE + Version.current() + NEWLINE);
  }

  @ParameterizedTest
  @CsvSource({"nonsense", "account1", "account1:!", "account1:key1;account1:key1", "a/b:key1"})
  void accountsThatCannotBeReadAreRefusedAndNotPrinted(String accounts) {
    assertThat(run(Map.of("AZURITE_ACCOUNTS", accounts), "--inMemoryPersistence")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "Exit due to unhandled error: AZURITE_ACCOUNTS must be accounts with base64 keys,"
                + " name:key[:key], separated by ;"
                + NEWLINE);
  }

  @Test
  void aPortInUseIsReportedInAzuritesWords() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(run(Map.of(), "--inMemoryPersistence --blobPort " + port)).isEqualTo(1);
      assertThat(err.toString())
          .isEqualTo(
              "Exit due to unhandled error: listen EADDRINUSE: address already in use 127.0.0.1:"
                  + port
                  + NEWLINE);
    }
  }

  /** Storage Explorer looks for an emulator at the blob port, whichever services it has. */
  @Test
  void theCommandForTablesHasBlobsTooWhenTheSettingSaysSo() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Map<String, String> both = Map.of("LAZULI_SERVICES", "blob,table");
      String ports = " --tablePort 0 --blobPort " + taken.getLocalPort();
      assertThat(execute(both, "azurite-table --inMemoryPersistence" + ports)).isEqualTo(1);
      assertThat(err.toString()).contains("address already in use", ":" + taken.getLocalPort());
    }
  }

  @Test
  void tablesAloneInMemoryWithAccountsOfTheEnvironment() throws Exception {
    Process process =
        start(
            Map.of("LAZULI_REHEARSE", "deleting=1"),
            "azurite-table",
            "--silent",
            "--inMemoryPersistence",
            "--extentMemoryLimit",
            "8",
            "--tablePort",
            "0",
            "--blobPort",
            "0");
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine())
          .startsWith(
              "In-memory extent storage is enabled with a limit of 8.00 MB (8388608 bytes, ");
      assertThat(lines.readLine()).isEqualTo("Azurite Table service is starting on 127.0.0.1:0");
      String started = lines.readLine();
      assertThat(started)
          .matches("Azurite Table service successfully started on 127\\.0\\.0\\.1:\\d+");
      assertThat(lines.readLine())
          .matches("Lazuli \\S+, health at http://127\\.0\\.0\\.1:\\d+/health");
      assertThat(lines.readLine())
          .isEqualTo("rehearsing, requests fail on purpose: deleting=1,seed=1");
      int port = Integer.parseInt(started.substring(started.lastIndexOf(':') + 1));
      assertThat(status(port, "127.0.0.1", "/My_account/Tables")).isEqualTo(403);
      assertThat(status(port, "127.0.0.1", "/devstoreaccount1/Tables")).isEqualTo(404);
      process.toHandle().destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(lines.lines())
          .containsExactly(
              "Azurite Table service is closing...", "Azurite Table service successfully closed");
    } finally {
      process.destroyForcibly();
    }
    assertThat(folder.resolve("lazuli-data")).doesNotExist();
  }

  @Test
  void theCurrentFolderIsTheLocationAndRequestsAreLoggedToTheDebugFile() throws Exception {
    Files.writeString(folder.resolve("__azurite_db_table__.json"), "{}");
    Process process =
        start(
            Map.of(),
            "azurite",
            "--disableProductStyleUrl",
            "--blobPort=0",
            "--queuePort=0",
            "--tablePort=0",
            "-d",
            "logs/debug.log");
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine())
          .isEqualTo("Azurite Blob service is starting at http://127.0.0.1:0");
      String listening = lines.readLine();
      assertThat(listening)
          .matches("Azurite Blob service is successfully listening at http://127\\.0\\.0\\.1:\\d+");
      int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
      assertThat(lines.readLine()).startsWith("Azurite Queue service is starting at ");
      assertThat(lines.readLine())
          .startsWith("Azurite Queue service is successfully listening at ");
      assertThat(lines.readLine()).startsWith("Azurite Table service is starting at ");
      assertThat(lines.readLine())
          .startsWith("Azurite Table service is successfully listening at ");
      assertThat(lines.readLine())
          .contains(", data in " + folder.toRealPath().resolve("lazuli-data") + ", health at ");
      assertThat(status(port, "127.0.0.1", "/My_account?comp=list&sig=secret")).isEqualTo(403);
      assertThat(lines.readLine())
          .matches(
              "127\\.0\\.0\\.1 - - \\[\\d\\d/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000] "
                  + "\"GET /My_account\\?comp=list&sig=XXXXX HTTP/1\\.1\" 403 \\d+");
      Path log = folder.resolve("logs").resolve("debug.log");
      await().until(() -> Files.readString(log).contains("account=My_account"));
      process.toHandle().destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(folder.resolve("err")))
        .isEqualTo(
            folder.toRealPath()
                + " contains data of Azurite; to import it, stop the server and run"
                + " lazuli import azurite "
                + folder.toRealPath()
                + " --data "
                + folder.toRealPath().resolve("lazuli-data")
                + NEWLINE);
  }

  private static int status(int port, String host, String target) throws IOException {
    try (RawConnection connection = new RawConnection(port)) {
      return connection
          .ask("GET " + target + " HTTP/1.1\r\nHost: " + host + ":" + port + "\r\n\r\n")
          .status();
    }
  }

  private Process start(Map<String, String> environment, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Newer Java versions warn without this option; the packed server sets it in its manifest.
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path"))));
    command.add(Main.class.getName());
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("AZURITE_ACCOUNTS", "My_account:key1");
    builder.environment().putAll(environment);
    return builder.directory(folder.toFile()).redirectError(folder.resolve("err").toFile()).start();
  }

  /** Makes the paths absolute, because the process runs in another folder. */
  private static String absolute(String classPath) {
    List<String> parts = new ArrayList<>();
    for (String part : classPath.split(File.pathSeparator, -1)) {
      parts.add(Path.of(part).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, parts);
  }

  private int run(Map<String, String> environment, String line) {
    return execute(environment, "azurite " + line);
  }

  private int execute(Map<String, String> environment, String line) {
    List<String> args = List.of(line.split(" ", -1));
    Secrets secrets = new Secrets(InputStream.nullInputStream(), environment);
    CommandLine commandLine = Main.commandLine(secrets, environment);
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(args.toArray(String[]::new));
  }
}
