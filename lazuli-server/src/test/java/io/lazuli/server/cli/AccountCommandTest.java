package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.account.AccountOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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

class AccountCommandTest {
  private static final String KEY = "a2V5IG9uZSBvZiB0aGUgYWNjb3VudA==";
  private static final String OTHER_KEY = "a2V5IHR3byBvZiB0aGUgYWNjb3VudA==";

  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void addPrintsTheKeysAndAConnectionString() {
    assertThat(run("add", "contoso")).isZero();
    List<AccountKey> keys = account("contoso").keys();
    assertThat(out.toString().lines())
        .containsExactly(
            "account  contoso",
            "key1     " + keys.get(0).base64(),
            "key2     " + keys.get(1).base64(),
            "DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey="
                + keys.get(0).base64()
                + ";BlobEndpoint=http://127.0.0.1:10000/contoso"
                + ";QueueEndpoint=http://127.0.0.1:10001/contoso"
                + ";TableEndpoint=http://127.0.0.1:10002/contoso;");
  }

  @Test
  void setSwitchesFeaturesOfAnAccount() {
    run("add", "contoso");
    assertThat(run("set", "contoso")).isEqualTo(2);
    assertThat(run("set", "contoso", "--blob-versioning", "maybe")).isEqualTo(2);
    assertThat(run("set", "contoso", "--blob-immutability", "on")).isEqualTo(2);
    assertThat(err.toString()).contains("immutability policies need blob versions");
    assertThat(account("contoso").options()).isEqualTo(AccountOptions.NONE);
    assertThat(run("set", "contoso", "--blob-versioning", "on")).isZero();
    assertThat(run("set", "contoso", "--blob-immutability", "on")).isZero();
    assertThat(account("contoso").options()).isEqualTo(new AccountOptions(true, true, 0, false));
    assertThat(run("set", "contoso", "--blob-versioning", "off")).isEqualTo(2);
    out.getBuffer().setLength(0);
    assertThat(run("set", "contoso", "--blob-versioning", "off", "--blob-immutability", "off"))
        .isZero();
    assertThat(out.toString())
        .contains("contoso: blob versions are off, immutability policies are off");
    assertThat(account("contoso").options()).isEqualTo(AccountOptions.NONE);
    assertThat(run("set", "contoso", "--container-retention-days", "366")).isEqualTo(2);
    assertThat(run("set", "contoso", "--container-retention-days", "-1")).isEqualTo(2);
    assertThat(run("set", "contoso", "--container-retention-days", "7")).isZero();
    assertThat(out.toString()).contains("contoso: deleted containers are kept for 7 days");
    assertThat(account("contoso").options().containerRetentionDays()).isEqualTo(7);
  }

  @Test
  void keysPrintsAConnectionStringForAnotherHost() {
    run("add", "contoso");
    out.getBuffer().setLength(0);
    assertThat(run("keys", "contoso", "--host", "db.example.com", "--table-port", "80")).isZero();
    assertThat(out.toString())
        .contains(account("contoso").keys().get(1).base64())
        .contains(";TableEndpoint=http://db.example.com:80/contoso;");
    assertThat(run("keys", "contoso", "--https")).isZero();
    assertThat(out.toString())
        .contains("DefaultEndpointsProtocol=https;")
        .contains(";TableEndpoint=https://127.0.0.1:10002/contoso;");
  }

  @Test
  void aConnectionStringNamesTheConfiguredServer() throws IOException {
    run("add", "contoso");
    Files.writeString(
        folder.resolve("lazuli.properties"),
        "host = 0.0.0.0\ntable-port = 20002\ntls-cert = x\nservices = table,queue");
    environment.put("LAZULI_DATA", folder.toString());
    environment.put("LAZULI_QUEUE_HOST", "::1");
    out.getBuffer().setLength(0);
    assertThat(execute("account", "keys", "contoso")).isZero();
    assertThat(out.toString())
        .contains("DefaultEndpointsProtocol=https;")
        .contains(
            ";QueueEndpoint=https://[::1]:10001/contoso"
                + ";TableEndpoint=https://127.0.0.1:20002/contoso;")
        .doesNotContain("BlobEndpoint");
    assertThat(execute("account", "keys", "contoso", "--host=db", "--table-port=80")).isZero();
    assertThat(out.toString())
        .contains(";QueueEndpoint=https://db:10001/contoso;TableEndpoint=https://db:80/contoso;");
    assertThat(execute("account", "keys", "contoso", "--table-port=x")).isEqualTo(1);
    assertThat(err.toString()).startsWith("lazuli: --table-port must be a number from 0 to 65535");
  }

  @Test
  void withOnePortTheConnectionStringHasTheAccountInItsHosts() {
    assertThat(run("add", "contoso")).isZero();
    assertThat(run("keys", "contoso", "--one-port", "80", "--domain", "Storage.Test")).isZero();
    assertThat(out.toString())
        .contains(";BlobEndpoint=http://contoso.blob.storage.test;QueueEndpoint=")
        .contains(";TableEndpoint=http://contoso.table.storage.test;EndpointSuffix=storage.test;");
    environment.put("LAZULI_ONE_PORT", "9000");
    assertThat(run("keys", "contoso", "--https")).isZero();
    assertThat(out.toString())
        .contains(";BlobEndpoint=https://contoso.blob.localhost:9000;")
        .contains(";EndpointSuffix=localhost:9000;");
    assertThat(run("keys", "contoso", "--domain=storage.test", "--one-port=1")).isZero();
    assertThat(out.toString()).contains(";EndpointSuffix=storage.test:1;");
  }

  /** Before, the connection strings had the default ports. */
  @Test
  void aConnectionStringNamesTheServerThatServesTheFolder() throws Exception {
    Process server = serve(folder);
    try {
      List<String> served = linesUntilReady(server);
      run("add", "contoso");
      String shown = out.toString();
      for (String line : served.subList(0, 3)) {
        String endpoint = line.substring(7).replace(Account.DEVELOPMENT_NAME, "contoso");
        assertThat(shown).contains("Endpoint=" + endpoint + ";");
      }
      out.getBuffer().setLength(0);
      environment.put("LAZULI_QUEUE_PORT", "7");
      run("keys", "contoso", "--host=db", "--https", "--table-port=80");
      assertThat(out.toString())
          .contains(";BlobEndpoint=https://db:" + port(served.get(0)) + "/contoso;")
          .contains(";QueueEndpoint=https://db:" + port(served.get(1)) + "/contoso;")
          .contains(";TableEndpoint=https://db:80/contoso;");
    } finally {
      server.destroyForcibly();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    out.getBuffer().setLength(0);
    run("keys", "contoso");
    assertThat(folder.resolve("endpoints")).as("left by a killed server").exists();
    assertThat(out.toString()).contains(";TableEndpoint=http://127.0.0.1:10002/contoso;");
  }

  private static int port(String line) {
    return URI.create(line.substring(7)).getPort();
  }

  @Test
  void keysAreTakenFromTheInputAndFromTheEnvironment() {
    assertThat(run("add", "contoso", "--key1", "-", "--key2", "env:SECOND")).isZero();
    assertThat(account("contoso").keys())
        .extracting(AccountKey::base64)
        .containsExactly(KEY, OTHER_KEY);
    assertThat(run("rotate", "contoso", "--key", "1", "--value", OTHER_KEY)).isZero();
    assertThat(account("contoso").keys().get(0).base64()).isEqualTo(OTHER_KEY);
  }

  @Test
  void rotateMakesANewKeyAndPrintsIt() {
    run("add", "contoso");
    Account before = account("contoso");
    out.getBuffer().setLength(0);
    assertThat(run("rotate", "contoso", "--key", "2")).isZero();
    Account after = account("contoso");
    assertThat(after.keys().get(0).base64()).isEqualTo(before.keys().get(0).base64());
    assertThat(after.keys().get(1).base64()).isNotEqualTo(before.keys().get(1).base64());
    assertThat(out.toString())
        .contains(after.keys().get(1).base64())
        .doesNotContain(before.keys().get(1).base64());
  }

  @Test
  void listShowsStatesAndNoKeys() {
    for (String name : List.of("contoso", "fabrikam", "northwind", "adventure")) {
      run("add", name, "--key1", KEY);
    }
    run("disable", "fabrikam");
    run("remove", "northwind");
    run("remove", "adventure", "--drop-data");
    out.getBuffer().setLength(0);
    assertThat(run("list")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "contoso                  enabled",
            "fabrikam                 disabled",
            "northwind                removed, the data is kept",
            "adventure                removed, the data is being dropped");
    run("enable", "fabrikam");
    assertThat(account("fabrikam").isEnabled()).isTrue();
  }

  @Test
  void theAccountsFileCanBeOutsideTheDataFolder() {
    Path file = folder.resolve("shared");
    assertThat(execute("account", "add", "contoso", "--accounts", file.toString())).isZero();
    assertThat(new AccountFile(file).read().require("contoso").isEnabled()).isTrue();
    assertThat(folder.resolve("accounts")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"list", "keys contoso", "disable contoso", "remove contoso --drop-data"})
  void aFolderWithoutAccountsIsReportedAndNotCreated(String line) {
    Path elsewhere = folder.resolve("elsewhere");
    assertThat(execute(("account " + line + " --data " + elsewhere).split(" ", -1))).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "lazuli: there is no accounts file "
                + elsewhere.resolve("accounts")
                + System.lineSeparator());
    assertThat(elsewhere).doesNotExist();
  }

  @Test
  void removingAnAccountTwiceIsReported() {
    run("add", "contoso");
    run("remove", "contoso");
    assertThat(run("remove", "contoso")).isEqualTo(1);
    assertThat(err.toString()).contains("the account contoso was removed");
    assertThat(run("remove", "contoso", "--drop-data")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keys nobody",
        "rotate nobody --key 1",
        "disable nobody",
        "enable nobody",
        "remove nobody",
        "remove nobody --drop-data",
        "add Contoso",
        "add devstoreaccount1",
      })
  void aRefusalIsOneLineAndExitCodeOne(String line) {
    assertThat(run(line.split(" ", -1))).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: ");
    assertThat(folder.resolve("accounts")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dance",
        "add",
        "add contoso --key1 c2VjcmV0!",
        "add contoso --key1 env:MISSING",
        "rotate contoso",
        "rotate contoso --key 3",
      })
  void wrongUseExitsWithTwoAndShowsNoKey(String line) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).hasLineCount(2).doesNotContain("Exception").doesNotContain("c2Vj");
  }

  @Test
  void processesDoNotLoseEachOthersAccounts() throws Exception {
    List<Process> editors = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      editors.add(start("account", "add", "account" + i, "--data", folder.toString()));
    }
    for (Process editor : editors) {
      assertThat(editor.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(editor.exitValue()).isZero();
    }
    assertThat(AccountFile.inside(folder).read().accounts()).hasSize(3);
  }

  @Test
  void anAccountCanBeAddedBeforeTheFirstStartAndItsKeyIsNotPrintedByServe() throws Exception {
    Path data = folder.resolve("new");
    assertThat(execute("account", "add", "contoso", "--data", data.toString())).isZero();
    Process server = serve(data, "--rehearse", "deleting=1");
    try {
      List<String> lines = linesUntilReady(server);
      assertThat(lines.get(0)).endsWith("/devstoreaccount1");
      assertThat(lines.get(4)).contains("AccountName=devstoreaccount1;");
      assertThat(lines.get(5)).startsWith("accounts  contoso; lazuli account keys NAME ");
      assertThat(lines.get(6)).isEqualTo("rehearsing, requests fail on purpose: deleting=1,seed=1");
      assertThat(lines.get(7)).startsWith("ready; ");
      for (AccountKey key : AccountFile.inside(data).read().require("contoso").keys()) {
        assertThat(lines).noneMatch(line -> line.contains(key.base64()));
      }
    } finally {
      server.destroyForcibly();
      server.waitFor(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aBrokenFileIsRefusedAtStartInOneLine() throws IOException {
    run("add", "contoso");
    Files.writeString(folder.resolve("accounts"), "nonsense");
    assertThat(execute("serve", "--data", folder.toString(), "--table-port", "0")).isEqualTo(1);
    assertThat(err.toString()).hasLineCount(1).startsWith("lazuli: ").contains("line 1");
  }

  private Account account(String name) {
    return AccountFile.inside(folder).read().require(name);
  }

  private static Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static Process serve(Path data, String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("serve", "--data", data.toString()));
    for (String listener : List.of("blob", "queue", "table", "admin")) {
      args.add("--" + listener + "-port=0");
    }
    args.addAll(List.of(options));
    return start(args.toArray(String[]::new));
  }

  private static List<String> linesUntilReady(Process server) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var reader = server.inputReader(StandardCharsets.UTF_8)) {
      String line = "";
      while (line != null && !line.startsWith("ready")) {
        line = reader.readLine();
        lines.add(String.valueOf(line));
      }
    }
    return lines;
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("account"));
    all.addAll(List.of(args));
    if (args.length > 0) {
      all.addAll(List.of("--data", folder.toString()));
    }
    return execute(all.toArray(String[]::new));
  }

  private int execute(String... args) {
    byte[] input = (KEY + "\n").getBytes(StandardCharsets.UTF_8);
    Secrets secrets = new Secrets(new ByteArrayInputStream(input), Map.of("SECOND", OTHER_KEY));
    CommandLine commandLine = Main.commandLine(secrets, environment);
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }
}
