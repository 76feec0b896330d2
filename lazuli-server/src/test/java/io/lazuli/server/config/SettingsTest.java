package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final List<String> DEFAULTS =
      List.of(
          "data = lazuli-data",
          "engine = rocksdb",
          "engine-config = null",
          "in-memory = false",
          "memory = 384",
          "durability = disk",
          "accounts = null",
          "roles = null",
          "account-keys = null",
          "services = blob,queue,table",
          "host = 127.0.0.1",
          "blob-host = 127.0.0.1",
          "queue-host = 127.0.0.1",
          "table-host = 127.0.0.1",
          "blob-port = 10000",
          "queue-port = 10001",
          "table-port = 10002",
          "one-port = null",
          "web-port = null",
          "domain = localhost",
          "admin-host = 127.0.0.1",
          "admin-port = 10010",
          "connections = 0",
          "connections-per-address = 0",
          "trusted-proxies = null",
          "allowed-hosts = null",
          "console-open = false",
          "console-users = null",
          "console-hosts = null",
          "tls-cert = null",
          "tls-key = null",
          "tls-password = null",
          "admin-tls = auto",
          "allow-development-account = false",
          "no-shared-key = false",
          "blob-versioning = false",
          "blob-immutability = false",
          "container-retention-days = 0",
          "copy-source = null",
          "oauth = off",
          "oidc-issuer = null",
          "oidc-jwks = null",
          "oidc-audience = null",
          "oidc-tenant = null",
          "oidc-ca = null",
          "tokens-over-http = false",
          "dev-identity = false",
          "dev-identity-port = 10011",
          "dev-identities = null",
          "account-rate = 0",
          "partition-rate = 0",
          "strict-paths = false",
          "host-style = true",
          "rehydrate-seconds = 60",
          "rehearse = null",
          "log-level = info",
          "log-format = text",
          "log-file = null",
          "access-log = false",
          "audit = null",
          "audit-mib = 100",
          "audit-files = 10",
          "otlp-endpoint = null",
          "scrub-hours = 168",
          "scrub-rate = 8",
          "stop-seconds = 25",
          "backup-target = null",
          "backup-minutes = 0",
          "backup-keep = 0",
          "backup-rate = 32",
          "backup-accounts = false",
          "backup-archive = false",
          "backup-archive-disk = 4096");

  @Test
  void theDefaultsAreThese() {
    assertThat(Settings.ALL.stream().map(setting -> setting.key() + " = " + setting.standard()))
        .containsExactlyElementsOf(DEFAULTS);
  }

  @Test
  void namesOfOptionsAndVariablesComeFromTheKey() {
    Setting setting = Settings.require("allow-development-account");
    assertThat(setting.option()).isEqualTo("--allow-development-account");
    assertThat(setting.variable()).isEqualTo("LAZULI_ALLOW_DEVELOPMENT_ACCOUNT");
    assertThat(Settings.keys()).doesNotHaveDuplicates().allMatch(key -> key.matches("[a-z-]+"));
  }

  @Test
  void theDocumentHasThisTable() throws IOException {
    new DocumentedTable("configuration.md", "settings").assertIs(table());
  }

  private static String table() {
    return "| key | value | default | |\n| --- | --- | --- | --- |\n"
        + Settings.ALL.stream().map(SettingsTest::row).collect(Collectors.joining());
  }

  private static String row(Setting setting) {
    String standard = setting.standard();
    return "| `"
        + setting.key()
        + "` | `"
        + setting.label().replace("|", "\\|")
        + "` | "
        + (standard == null ? "" : "`" + standard + "`")
        + " | "
        + setting.description()
        + " |\n";
  }
}
