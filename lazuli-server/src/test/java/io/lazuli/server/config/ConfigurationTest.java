package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.audit.AuditConfig;
import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.development.DevelopmentConfig;
import io.lazuli.server.development.DevelopmentIdentity;
import io.lazuli.server.identity.Issuer;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.Durability;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {
  private static final String[] EVERYTHING = {
    "data = a",
    "engine = memory",
    "engine-config = g",
    "in-memory = true",
    "memory = 5",
    "durability = relaxed",
    "accounts = b",
    "roles = r",
    "account-keys = first:a2V5;other:a2V5:a2V5;",
    "services = table, blob",
    "connections = 8",
    "connections-per-address = 9",
    "trusted-proxies = 10.0.0.0/8, ::1",
    "host = h",
    "blob-host = h1",
    "queue-host = h2",
    "table-host = h3",
    "blob-port = 1",
    "queue-port = 2",
    "table-port = 3",
    "admin-host = h4",
    "admin-port = 4",
    "one-port = 5",
    "web-port = 6",
    "domain = Storage.Test",
    "allowed-hosts = azurite, [::2]",
    "console-open = true",
    "console-users = u",
    "console-hosts = ops.example",
    "tls-cert = c",
    "tls-key = d",
    "tls-password = e",
    "admin-tls = on",
    "allow-development-account = true",
    "no-shared-key = true",
    "blob-versioning = true",
    "blob-immutability = true",
    "container-retention-days = 3",
    "copy-source = a.example",
    "oauth = basic",
    "oidc-issuer = https://a.example/x,http://127.0.0.1:8080/y",
    "oidc-jwks = https://b.example=k.json",
    "oidc-audience = one,two",
    "oidc-tenant = 72F988BF-86f1-41af-91ab-2d7cd011db47",
    "oidc-ca = ca.pem",
    "tokens-over-http = true",
    "audit = audit.jsonl",
    "audit-mib = 3",
    "audit-files = 4",
    "dev-identity = true",
    "dev-identity-port = 21",
    "dev-identities = reader=storage-blob-data-reader+Storage Queue Data Reader,nobody",
    "account-rate = 6",
    "partition-rate = 7",
    "strict-paths = true",
    "host-style = false",
    "rehydrate-seconds = 5",
    "rehearse = busy=3,seed=2",
    "log-level = debug",
    "log-format = json",
    "otlp-endpoint = http://collector:4318",
    "scrub-hours = 24",
    "scrub-rate = 3",
    "backup-target = t",
    "backup-minutes = 6",
    "backup-keep = 7",
    "backup-rate = 8",
    "backup-accounts = true",
    "backup-archive = true",
    "backup-archive-disk = 10",
    "log-file = f",
    "access-log = true",
    "stop-seconds = 9"
  };

  private static final Map<String, Given> NONE = Map.of();

  @TempDir private Path folder;

  @Test
  void optionsOverrideVariablesThenFileThenPresetsThenDefaults() throws IOException {
    Path file = write("blob-port = 1", "queue-port = 1", "table-port = 1");
    Configuration found =
        Configuration.read(
            Map.of("blob-port", new Given("3", "--blob-port")),
            file,
            Map.of("LAZULI_BLOB_PORT", "2", "LAZULI_QUEUE_PORT", "2"),
            Map.of("table-port", new Given("9", "preset"), "admin-port", new Given("9", "preset")));
    ServerConfig server = found.launch().server();
    assertThat(server.listeners().blob().port()).isEqualTo(3);
    assertThat(server.listeners().queue().port()).isEqualTo(2);
    assertThat(server.listeners().table().port()).isEqualTo(1);
    assertThat(server.listeners().admin().port()).isEqualTo(9);
    assertThat(origin(found, "blob-port")).isEqualTo("--blob-port");
    assertThat(origin(found, "queue-port")).isEqualTo("LAZULI_QUEUE_PORT");
    assertThat(origin(found, "table-port")).isEqualTo(file + ":3");
    assertThat(origin(found, "admin-port")).isEqualTo("preset");
    assertThat(origin(found, "data")).isEqualTo("default");
    assertThat(found.file()).isEqualTo(file);
  }

  @Test
  void theFileInTheDataFolderIsReadUnlessAnotherIsNamed() throws IOException {
    Path own = Files.writeString(folder.resolve("lazuli.properties"), "table-port = 1");
    Map<String, String> data = Map.of("LAZULI_DATA", folder.toString());
    assertThat(read(data).file()).isEqualTo(own);
    assertThat(read(data).launch().server().listeners().table().port()).isEqualTo(1);
    Path other = write("table-port = 2");
    Map<String, String> both =
        Map.of("LAZULI_DATA", folder.toString(), "LAZULI_CONFIG", other.toString());
    assertThat(read(both).launch().server().listeners().table().port()).isEqualTo(2);
    assertThat(
            Configuration.read(NONE, own, both, NONE).launch().server().listeners().table().port())
        .isEqualTo(1);
  }

  @Test
  void inMemoryTheFileInTheDataFolderIsIgnored() throws IOException {
    Files.writeString(folder.resolve("lazuli.properties"), "table-port = 1");
    assertThat(
            read(Map.of("LAZULI_DATA", folder.toString(), "LAZULI_IN_MEMORY", "true"))
                .launch()
                .server()
                .listeners()
                .table()
                .port())
        .isEqualTo(10002);
  }

  @Test
  void withTheMemoryEngineTheFileIsIgnoredToo() throws IOException {
    Files.writeString(folder.resolve("lazuli.properties"), "table-port = 1");
    Map<String, String> data = Map.of("LAZULI_DATA", folder.toString());
    Map<String, Given> option = Map.of("engine", new Given("memory", "--engine"));
    assertThat(Configuration.read(option, null, data, NONE).file()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "in-memory = true,engine,rocksdb,rocksdb",
    "in-memory = true,engine,memory,memory",
    "engine = memory,in-memory,false,rocksdb",
    "in-memory = true,in-memory,false,rocksdb",
    "engine = hbase,in-memory,true,memory",
    "engine = hbase,in-memory,false,hbase",
    "table-port = 1,in-memory,true,memory",
    "table-port = 1,in-memory,false,rocksdb",
  })
  void inMemoryHasThePrecedenceOfItsSource(String line, String option, String value, String engine)
      throws IOException {
    Path file = write(line);
    Map<String, Given> options = Map.of(option, new Given(value, "--" + option));
    Configuration found = Configuration.read(options, file, Map.of(), NONE);
    assertThat(found.launch().server().store().engine()).isEqualTo(engine);
    assertThat(origin(found, "in-memory")).isEqualTo(origin(found, "engine"));
  }

  @Test
  void theOriginOfTheEngineIsThatOfInMemory() throws IOException {
    Configuration found = read(Map.of("LAZULI_IN_MEMORY", "true"));
    assertThat(origin(found, "engine")).isEqualTo("LAZULI_IN_MEMORY");
    Path file = write("engine = rocksdb", "in-memory = true");
    refused(Map.of(), file).hasMessage(file + ":2 contradicts the engine rocksdb");
    Path other = write("engine = memory", "in-memory = false");
    refused(Map.of(), other).hasMessage(other + ":2 contradicts the engine memory");
  }

  @Test
  void theFileInTheDataFolderCannotMoveIt() throws IOException {
    Path own = Files.writeString(folder.resolve("lazuli.properties"), "\ndata = elsewhere");
    refused(Map.of("LAZULI_DATA", folder.toString()), null)
        .hasMessage(
            own + ":2: data cannot be set in this file, because it decides where the file is");
    assertThat(Configuration.read(NONE, own, Map.of(), NONE).launch().server().store().folder())
        .isEqualTo(Path.of("elsewhere"));
  }

  @Test
  void valuesAreTheTextBetweenTheSignAndTheEndOfTheLine() throws IOException {
    Path file = write("# a comment", "", "  data =  C:\\a b\\c=d  ", "host=::1");
    ServerConfig server = Configuration.read(NONE, file, Map.of(), NONE).launch().server();
    assertThat(server.store().folder()).isEqualTo(Path.of("C:\\a b\\c=d"));
    assertThat(server.listeners().table().host()).isEqualTo("::1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tabel-port = 1|:1: unknown key tabel-port; did you mean table-port?",
        "port.table = 1|:1: unknown key port.table",
        "Data = x|:1: unknown key Data; did you mean data?",
        "nonsense|:1: a line must have the form key = value",
        "table-port = 99999|:1 must be a number from 0 to 65535, not \"99999\"",
        "table-port =|:1 must be a number from 0 to 65535, not \"\"",
        "data =|:1 must be the name of a folder, not \"\"",
        "durability = none|:1 must be one of disk, relaxed, replicated, not \"none\"",
        "services = table,disk|:1 must be a comma-separated list of blob, queue and table,"
            + " not \"table,disk\"",
        "in-memory = yes|:1 must be true or false, not \"yes\"",
        "account-rate = -1|:1 must be a number that is not negative, not \"-1\"",
      })
  void aMistakeInTheFileIsReportedWithItsLine(String line, String message) throws IOException {
    Path file = write(line);
    refused(Map.of(), file).hasMessage(file + message);
  }

  @Test
  void aKeyMayBeSetOnceAndTheFileMustExist() throws IOException {
    Path file = write("table-port = 1", "table-port = 1");
    refused(Map.of(), file).hasMessage(file + ":2: table-port is set twice");
    Path missing = folder.resolve("missing");
    refused(Map.of(), missing).hasMessage("there is no configuration file " + missing);
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xc3, (byte) 0x28});
    refused(Map.of(), binary).hasMessage("the configuration file " + binary + " is not UTF-8");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LAZULI_TABLEPORT|1|unknown variable LAZULI_TABLEPORT; did you mean"
            + " LAZULI_TABLE_PORT?",
        "LAZULI_CONFG|1|unknown variable LAZULI_CONFG; did you mean LAZULI_CONFIG?",
        "LAZULI_WHATEVER_ELSE|1|unknown variable LAZULI_WHATEVER_ELSE",
        "LAZULI_TABLE_PORT|x|LAZULI_TABLE_PORT must be a number from 0 to 65535, not \"x\"",
        "LAZULI_TLS_PASSWORD|secret|tls-key and tls-password need a tls-cert",
      })
  void aMistakeInTheEnvironmentIsReportedWithItsVariable(
      String name, String value, String message) {
    refused(Map.of(name, value), null).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LAZULI_JAVA_OPTS=-Xmx1g",
        "LAZULI_CONFORMANCE_KEY=x",
        "LAZULI_TABLE_PORT=",
        "LAZULI_PORT=tcp://10.0.0.1:10002",
        "LAZULI_SERVICE_HOST=10.0.0.1",
        "LAZULI_SERVICE_PORT_TABLE=10002",
        "LAZULI_PORT_10002_TCP_ADDR=10.0.0.1",
        "LAZULI_TABLE_PORT=tcp://10.0.0.1:10002",
        "LAZULI_TABLE_PORT_10002_TCP=tcp://10.0.0.1:10002",
        "lazuli_table_port=x",
        "TABLE_PORT=1",
      })
  void variablesOfOthersAreIgnored(String variable) {
    String[] parts = variable.split("=", 2);
    assertThat(read(Map.of(parts[0], parts[1])).launch()).isEqualTo(read(Map.of()).launch());
  }

  @Test
  void aHostForAllIsTheOriginOfAServicesHost() {
    Configuration found = read(Map.of("LAZULI_HOST", "::1", "LAZULI_BLOB_HOST", "127.0.0.1"));
    assertThat(found.launch().server().listeners().table().host()).isEqualTo("::1");
    assertThat(origin(found, "table-host")).isEqualTo("LAZULI_HOST");
    assertThat(origin(found, "blob-host")).isEqualTo("LAZULI_BLOB_HOST");
  }

  @Test
  void everythingCanBeSet() throws IOException {
    Path file = write(EVERYTHING);
    Launch launch = Configuration.read(NONE, file, Map.of(), NONE).launch();
    assertThat(Settings.require("account-keys").read().apply(launch))
        .isEqualTo("first:a2V5;other:a2V5:a2V5");
    assertThat(Settings.require("trusted-proxies").read().apply(launch))
        .isEqualTo("10.0.0.0/8,0:0:0:0:0:0:0:1/128");
    assertThat(launch)
        .isEqualTo(
            new Launch(
                everyServerSetting(launch),
                "h",
                LogLevel.DEBUG,
                LogFormat.JSON,
                Path.of("f"),
                true,
                Duration.ofSeconds(9)));
    for (Setting setting : Settings.ALL) {
      assertThat(setting.shown(launch)).as(setting.key()).isNotEqualTo(setting.standard());
    }
    assertThat(Settings.require("tls-password").shown(launch)).isEqualTo("****");
    assertThat(Settings.require("account-keys").shown(launch)).isEqualTo("****");
  }

  /** Returns what {@link #EVERYTHING} sets; the given launch has the parsed account keys. */
  private static ServerConfig everyServerSetting(Launch launch) {
    return ServerConfig.builder()
        .dataFolder(Path.of("a"))
        .engine("memory")
        .engineConfig(Path.of("g"))
        .memoryBytes(5 << 20)
        .durability(Durability.RELAXED)
        .accountsFile(Path.of("b"))
        .rolesFile(Path.of("r"))
        .accounts(launch.server().accounts().given())
        .services(Set.of(ServiceName.TABLE, ServiceName.BLOB))
        .blobHost("h1")
        .queueHost("h2")
        .tableHost("h3")
        .blobPort(1)
        .queuePort(2)
        .tablePort(3)
        .adminHost("h4")
        .adminPort(4)
        .host("h")
        .onePort(5)
        .webPort(6)
        .domain("storage.test")
        .allowedHosts(List.of("azurite", "[::2]"))
        .consoleOpen(true)
        .consoleUsers(Path.of("u"))
        .adminTls(ListenersConfig.AdminTls.ON)
        .consoleHosts(List.of("ops.example"))
        .connectionsMax(8)
        .connectionsPerAddressMax(9)
        .trustedProxies(launch.server().listeners().connections().trustedProxies())
        .tls(new TlsFiles(Path.of("c"), Path.of("d"), "e"))
        .allowDevelopmentAccount(true)
        .noSharedKey(true)
        .blobVersioning(true)
        .blobImmutability(true)
        .containerRetentionDays(3)
        .copySources(Objects.requireNonNull(AllowedSources.parse("a.example")))
        .accountRate(6)
        .partitionRate(7)
        .lenientPaths(false)
        .hostStyle(false)
        .rehydrationTime(Duration.ofSeconds(5))
        .rehearsal(Rehearsal.parse("busy=3,seed=2"))
        .otlpEndpoint(URI.create("http://collector:4318"))
        .scrubInterval(Duration.ofDays(1))
        .scrubBytesPerSecond(3 << 20)
        .backup(ConfigurationTest::everyBackupSetting)
        .tokens(ConfigurationTest::everyTokenSetting)
        .development(ConfigurationTest::everyIdentitySetting)
        .audit(none -> new AuditConfig(Path.of("audit.jsonl"), 3 << 20, 4))
        .build();
  }

  private static BackupConfig everyBackupSetting(BackupConfig none) {
    return none.withTarget("t")
        .withMinutes(6)
        .withKeep(7)
        .withRateMib(8)
        .withAccounts(true)
        .withArchive(true)
        .withArchiveDiskMib(10);
  }

  private static DevelopmentConfig everyIdentitySetting(DevelopmentConfig standard) {
    List<DevelopmentIdentity> more =
        DevelopmentConfig.parseIdentities(
            "reader=storage-blob-data-reader+storage-queue-data-reader,nobody");
    return standard.withOn(true).withPort(21).withMore(Objects.requireNonNull(more));
  }

  private static TokenConfig everyTokenSetting(TokenConfig none) {
    return none.withOauth(TokenConfig.OAuth.BASIC)
        .withIssuers(
            List.of(new Issuer("https://a.example/x"), new Issuer("http://127.0.0.1:8080/y")))
        .withKeyFiles(Map.of(new Issuer("https://b.example"), Path.of("k.json")))
        .withAudiences(List.of("one", "two"))
        .withTenants(List.of(UUID.fromString("72f988bf-86f1-41af-91ab-2d7cd011db47")))
        .withAuthority(Path.of("ca.pem"))
        .withOverHttp(true);
  }

  private static String origin(Configuration found, String key) {
    return found.origin(Settings.require(key));
  }

  private static Configuration read(Map<String, String> environment) {
    return Configuration.read(NONE, null, environment, NONE);
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> refused(
      Map<String, String> environment, @Nullable Path file) {
    return assertThatThrownBy(() -> Configuration.read(NONE, file, environment, NONE))
        .isInstanceOf(ConfigException.class);
  }

  private Path write(String... lines) throws IOException {
    return Files.writeString(folder.resolve("test.properties"), String.join("\n", lines));
  }
}
