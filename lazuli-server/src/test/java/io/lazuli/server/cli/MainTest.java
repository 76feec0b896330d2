package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Version;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.http.RawConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpAndVersionArePrinted() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("serve").contains("./lazuli-data");
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).endsWith("lazuli " + Version.current() + System.lineSeparator());
    assertThat(run("serve", "--help")).isZero();
    assertThat(out.toString())
        .contains(
            "--data",
            "--host",
            "--blob-port",
            "--queue-port",
            "--table-port",
            "--admin-host",
            "--admin-port")
        .contains("--durability", "--in-memory", "--engine", "--engine-config", "--log-level")
        .contains("--tls-cert", "--tls-key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dance",
        "serve --unknown",
        "serve --table-port x",
        "serve --table-port -1",
        "serve --admin-port 65536",
        "serve --durability none",
        "serve --in-memory --engine rocksdb",
        "serve --tls-key x",
        "import",
        "import azurite"
      })
  void wrongUseExitsWithTwo(String line) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).startsWith("lazuli: ").hasLineCount(2).doesNotContain("Exception");
  }

  @Test
  void aPortInUseIsOneLineAndExitCodeOne() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertThat(
              run(
                  "serve",
                  "--in-memory",
                  "--blob-port",
                  "0",
                  "--queue-port",
                  "0",
                  "--admin-port",
                  "0",
                  "--table-port",
                  port))
          .isEqualTo(1);
      assertThat(err.toString())
          .isEqualTo("lazuli: port " + port + " on 127.0.0.1 is in use" + System.lineSeparator());
    }
  }

  @Test
  void aMissingEngineIsOneLineAndExitCodeOne(@TempDir Path folder) {
    String data = folder.toString();
    assertThat(run("serve", "--data", data, "--engine", "hbase")).isEqualTo(1);
    assertThat(err.toString())
        .hasLineCount(1)
        .startsWith("lazuli: there is no storage engine named hbase: this server contains ")
        .contains("memory, rocksdb, and no jars of another engine are in ")
        .endsWith(Path.of("engines", "hbase") + System.lineSeparator());
  }

  @Test
  void anUnsupportedDurabilityIsOneLineAndExitCodeOne(@TempDir Path folder) {
    assertThat(run("serve", "--data", folder.toString(), "--durability=replicated")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "lazuli: the engine rocksdb has no durability replicated; it has disk, relaxed"
                + System.lineSeparator());
  }

  @Test
  void aDataFolderNewerThanTheServerIsOneLineAndExitCodeOne(@TempDir Path folder)
      throws IOException {
    Files.writeString(folder.resolve("FORMAT"), "lazuli data format 12\n");
    assertThat(run("serve", "--data", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "lazuli: the data folder "
                + folder.toRealPath()
                + " has data format 12, but this server reads data formats up to 2: start the"
                + " version that wrote the folder or a newer one, or use another folder"
                + System.lineSeparator());
    assertThat(folder.resolve("FORMAT")).hasContent("lazuli data format 12\n");
    assertThat(folder.resolve("rocksdb")).doesNotExist();
  }

  @Test
  void aCertificateForADomainIsMadeAndTheCommandSaysHowToUseIt(@TempDir Path folder) {
    assertThat(run("dev-cert", "--folder", folder.toString(), "--domain", "Storage.Test")).isZero();
    assertThat(folder).isDirectoryContaining("glob:**/storage.test-key.pem");
    assertThat(out.toString())
        .contains("storage.test-key.pem --one-port 443 --domain storage.test\n");
    assertThat(run("dev-cert", "--folder", folder.toString(), "--domain", "a.test")).isEqualTo(1);
    assertThat(err.toString()).contains(" cannot vouch for a.test; use another --folder");
    assertThat(run("dev-cert", "--folder", folder.toString(), "--domain", "../x")).isEqualTo(2);
    assertThat(err.toString()).contains("--domain must be a domain name without a port");
  }

  @Test
  void devCertMakesFilesThatServeAccepts(@TempDir Path folder) {
    assertThat(run("dev-cert", "--folder", folder.toString())).isZero();
    assertThat(out.toString())
        .startsWith("new authority  " + folder.resolve("ca.pem"))
        .contains("lazuli serve --tls-cert " + folder.resolve("localhost.pem"));
    assertThat(run("dev-cert", "--folder", folder.toString())).isZero();
    assertThat(out.toString()).contains("\nauthority      ");
    assertThat(folder.resolve("ca-key.pem").toFile().delete()).isTrue();
    assertThat(run("dev-cert", "--folder", folder.toString())).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: only one of");
  }

  @Test
  void aMissingCertificateIsOneLineAndExitCodeOne(@TempDir Path folder) {
    String missing = folder.resolve("none.pem").toString();
    assertThat(run("serve", "--in-memory", "--tls-cert", missing)).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("lazuli: there is no file " + missing + System.lineSeparator());
  }

  @Test
  void importPrintsASummaryAndExitsWithOneIfSomethingWasLeftOut(@TempDir Path folder) {
    String azurite = Path.of("src", "test", "resources", "azurite").toString();
    String data = folder.resolve("data").toString();
    assertThat(run("import", "azurite", azurite, "--data", data)).isEqualTo(1);
    assertThat(out.toString()).contains("imported 2 tables, 15 entities, 2 queues, 5 messages");
    assertThat(err.toString()).hasLineCount(3).endsWith("2 left out, see above\n");
  }

  @Test
  void importUsesTheConfiguredDataFolder(@TempDir Path folder) {
    String azurite = Path.of("src", "test", "resources", "azurite").toString();
    environment.put("LAZULI_DATA", folder.resolve("data").toString());
    assertThat(run("import", "azurite", azurite)).isEqualTo(1);
    assertThat(out.toString()).contains("imported 2 tables");
    assertThat(folder.resolve("data").resolve("FORMAT")).exists();
    environment.put("LAZULI_IN_MEMORY", "true");
    err.getBuffer().setLength(0);
    assertThat(run("import", "azurite", azurite)).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: cannot import into memory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve --tls-pasword=hush",
        "serve --tls-pasword hush",
        "serve --tls-password s hush",
        "serve --tls-cert --tls-password=hush",
        "serve --table-port=1 --table-port=hush",
        "account rotate contoso --key hush",
        "account rotate contoso --key=hush",
        "account list --kye1=hush",
        "account add contoso aHVzaCBodXNoIGh1c2ggaHVzaA==",
      })
  void noValueOfAnOptionIsPrinted(String line) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("lazuli: ")
        .doesNotContain("hush")
        .doesNotContain("aHVz")
        .hasLineCount(2);
  }

  /** Before, the message was "an argument belongs to no option". */
  @ParameterizedTest
  @ValueSource(strings = {"serve 20002", "serve --data x 20002", "dev-cert 20002"})
  void aWordThatBelongsToNoOptionIsNamed(String line) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).startsWith("lazuli: 20002 belongs to no option");
  }

  @Test
  void aWordThatMayBeASecretIsCounted() {
    run("serve", "--tls-password", "s", "hush");
    assertThat(err.toString())
        .startsWith("lazuli: word 4 of the command line belongs to no option");
  }

  /** Before, the hints for these words were several commands, and most had nothing in common. */
  @Test
  void theHintForAnUnknownCommandIsTheNearestOne() {
    assertThat(hint("sevre")).isEqualTo("lazuli: unknown command sevre; did you mean serve?");
    assertThat(hint("toor")).isEqualTo("lazuli: unknown command toor; did you mean tour?");
    assertThat(hint("account", "lst")).isEqualTo("lazuli: unknown command lst; did you mean list?");
    assertThat(hint("start")).isEqualTo("lazuli: unknown command start");
    assertThat(hint("dance")).isEqualTo("lazuli: unknown command dance");
    assertThat(hint("serve", "--tabel-port=1"))
        .isEqualTo("lazuli: unknown option --tabel-port; did you mean --table-port?");
  }

  private String hint(String... args) {
    err.getBuffer().setLength(0);
    assertThat(run(args)).isEqualTo(2);
    List<String> lines = err.toString().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1))
        .matches("lazuli( account| serve)? --help lists the (commands|options)");
    return lines.get(0);
  }

  /** Before, the message had conformance, but neither tour nor cluster-demo. */
  @Test
  void withoutACommandAllCommandsAreNamed() {
    assertThat(hint())
        .isEqualTo(
            "lazuli: missing command: serve, config, account, role, dev-cert, import, backup,"
                + " restore, verify, repair, scrub, console, explain-signature, partitions, health, azurite,"
                + " export, table, conformance, tour, works-with, cluster-demo");
    run("--help");
    assertThat(out.toString()).contains("lazuli conformance", "lazuli tour", "lazuli cluster-demo");
  }

  @Test
  void aProgramOfTheStartScriptIsNotAnUnknownCommand() {
    assertThat(hint("tour"))
        .isEqualTo("lazuli: tour is a program of its own; the start script lazuli runs it");
  }

  @Test
  void anUnknownCommandOrOptionIsNamed() {
    run("dance");
    assertThat(err.toString()).startsWith("lazuli: unknown command dance");
    err.getBuffer().setLength(0);
    run("serve", "--tabel-port=1");
    assertThat(err.toString()).startsWith("lazuli: unknown option --tabel-port");
  }

  @Test
  void importNeedsDataOfAzuriteAndAnUnusedStore(@TempDir Path folder) {
    assertThat(run("import", "azurite", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("lazuli: there is no data of Azurite in " + folder + System.lineSeparator());
    err.getBuffer().setLength(0);
    ServerConfig config = ServerConfig.builder().dataFolder(folder.resolve("data")).build();
    try (OfflineStore store = OfflineStore.open(config.store())) {
      assertThat(store.tables()).isNotNull();
      String azurite = Path.of("src", "test", "resources", "azurite").toString();
      assertThat(run("import", "azurite", azurite, "--data", folder.resolve("data").toString()))
          .isEqualTo(1);
    }
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: ");
  }

  @Test
  void beyondLoopbackTheDevelopmentAccountIsNotOffered() {
    assertThat(run("serve", "--in-memory", "--host", "0.0.0.0")).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).contains("--allow-development-account");
  }

  @Test
  void servePrintsWhereItListensAndStopsOnASignal(@TempDir Path folder) throws Exception {
    Process process = serve(folder);
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String blob = lines.readLine();
      String queue = lines.readLine();
      String table = lines.readLine();
      String admin = lines.readLine();
      String connectionString = lines.readLine();
      assertThat(blob).matches("blob   http://127\\.0\\.0\\.1:\\d+/devstoreaccount1");
      assertThat(queue).matches("queue  http://127\\.0\\.0\\.1:\\d+/devstoreaccount1");
      assertThat(table).matches("table  http://127\\.0\\.0\\.1:\\d+/devstoreaccount1");
      assertThat(admin).matches("admin  http://127\\.0\\.0\\.1:\\d+");
      assertThat(connectionString)
          .endsWith(
              ";BlobEndpoint="
                  + blob.substring(7)
                  + ";QueueEndpoint="
                  + queue.substring(7)
                  + ";TableEndpoint="
                  + table.substring(7)
                  + ";");
      assertThat(lines.readLine())
          .isEqualTo(
              "ready; data in "
                  + folder.toRealPath()
                  + "; durability is relaxed: a power cut may lose the last writes");
      assertThat(lines.readLine())
          .startsWith("console, for a minute: " + admin.substring(7) + "/-/sign-in#");
      try (RawConnection connection = new RawConnection(URI.create(admin.substring(7)).getPort())) {
        assertThat(connection.ask("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n").status())
            .isEqualTo(200);
      }
      anotherServerOnTheSameFolderIsRefused(folder);
      process.toHandle().destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(lines.readLine()).isNull();
    } finally {
      process.destroyForcibly();
    }
  }

  private void anotherServerOnTheSameFolderIsRefused(Path folder) {
    assertThat(
            run(
                "serve",
                "--data",
                folder.toString(),
                "--blob-port",
                "0",
                "--queue-port",
                "0",
                "--table-port",
                "0",
                "--admin-port",
                "0"))
        .isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: ").contains("in use");
  }

  private static Process serve(Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(Main.class.getName(), "serve", "--data", folder.toRealPath().toString()));
    command.addAll(
        List.of(
            "--blob-port",
            "0",
            "--queue-port",
            "0",
            "--table-port",
            "0",
            "--admin-port",
            "0",
            "--durability=relaxed"));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private int run(String... args) {
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), environment), environment);
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }
}
