package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.account.Account;
import io.lazuli.server.audit.AuditConfig;
import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.console.session.ConsoleConfig;
import io.lazuli.server.development.DevelopmentConfig;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.outbound.AddressBlock;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
  private static final StoreConfig ELSEWHERE =
      new StoreConfig(
          "memory",
          Path.of("jars"),
          Path.of("site.xml"),
          Path.of("elsewhere"),
          Durability.RELAXED,
          7,
          0);
  private static final ConsoleConfig NO_CONSOLE = new ConsoleConfig(false, null, List.of());
  private static final Account ACCOUNT = Account.development();
  private static final TlsFiles TLS = new TlsFiles(Path.of("server.pfx"), null, "secret");

  private static final Rehearsal TROUBLE = Rehearsal.parse("busy=1");

  private static final List<AddressBlock> PROXIES =
      Objects.requireNonNull(AddressBlock.parseList("10.0.0.0/8,::1"));

  private static final AllowedSources SOURCES =
      Objects.requireNonNull(AllowedSources.parse("a.example"));

  @Test
  void aServicesOwnHostOverridesTheHostForAllInAnyOrder() {
    ServerConfig config = ServerConfig.builder().tableHost("::1").host("10.0.0.1").build();
    assertThat(config.listeners().of(ServiceName.BLOB).host()).isEqualTo("10.0.0.1");
    assertThat(config.listeners().of(ServiceName.TABLE).host()).isEqualTo("::1");
  }

  @Test
  void onePortReplacesThePortsOfAllServicesAndTheSignpost() {
    ListenersConfig listeners =
        ServerConfig.builder()
            .services(Set.of(ServiceName.TABLE))
            .host("10.0.0.1")
            .tableHost("::1")
            .onePort(80)
            .build()
            .listeners();
    for (ServiceName service : ServiceName.values()) {
      assertThat(listeners.of(service)).isEqualTo(new ListenAddress("10.0.0.1", 80));
    }
    assertThat(listeners.hasSignpost()).isFalse();
  }

  @Test
  void noPasswordIsPrinted() {
    assertThat(ServerConfig.builder().tls(TLS).build().toString())
        .contains("server.pfx")
        .doesNotContain("secret");
  }

  @Test
  void theDefaultsAreThese() {
    assertThat(ServerConfig.builder().build())
        .isEqualTo(
            new ServerConfig(
                new StoreConfig(
                    "rocksdb", null, null, Path.of("lazuli-data"), Durability.DISK, 384L << 20, 0),
                new AccountsConfig(null, List.of(), false),
                new ListenersConfig(
                    EnumSet.allOf(ServiceName.class),
                    new ListenAddress("127.0.0.1", 10000),
                    new ListenAddress("127.0.0.1", 10001),
                    new ListenAddress("127.0.0.1", 10002),
                    new ListenAddress("127.0.0.1", 10010),
                    null,
                    null,
                    "localhost",
                    List.of(),
                    null,
                    ListenersConfig.AdminTls.AUTO,
                    new ConnectionsConfig(0, 0, List.of())),
                new ProtocolConfig(
                    true, true, Duration.ofMinutes(15), Duration.ofMinutes(1), AllowedSources.NONE),
                new RatesConfig(0, 0),
                Rehearsal.OFF,
                null,
                new ScrubConfig(Duration.ofDays(7), 8L << 20),
                BackupConfig.NONE,
                NO_CONSOLE,
                TokenConfig.NONE,
                AuditConfig.NONE,
                DevelopmentConfig.OFF));
  }

  @Test
  void everySettingCanBeChanged() {
    ServerConfig changed =
        ServerConfig.builder()
            .engine("memory")
            .engineFolder(Path.of("jars"))
            .engineConfig(Path.of("site.xml"))
            .dataFolder(Path.of("elsewhere"))
            .durability(Durability.RELAXED)
            .memoryBytes(7)
            .accountsFile(Path.of("shared"))
            .accounts(List.of(ACCOUNT))
            .services(Set.of(ServiceName.TABLE))
            .host("0.0.0.0")
            .queueHost("10.0.0.1")
            .tableHost("10.0.0.2")
            .blobPort(5)
            .queuePort(3)
            .tablePort(1)
            .adminHost("::1")
            .adminPort(2)
            .onePort(7)
            .webPort(8)
            .domain("storage.test")
            .allowedHosts(List.of("azurite"))
            .allowDevelopmentAccount(true)
            .accountRate(3)
            .partitionRate(4)
            .lenientPaths(false)
            .hostStyle(false)
            .dateWindow(Duration.ZERO)
            .rehydrationTime(Duration.ofSeconds(9))
            .tls(TLS)
            .connectionsMax(5)
            .connectionsPerAddressMax(6)
            .trustedProxies(PROXIES)
            .copySources(SOURCES)
            .rehearsal(TROUBLE)
            .build();
    assertThat(changed)
        .isEqualTo(
            new ServerConfig(
                ELSEWHERE,
                new AccountsConfig(Path.of("shared"), List.of(ACCOUNT), true),
                new ListenersConfig(
                    Set.of(ServiceName.TABLE),
                    new ListenAddress("0.0.0.0", 5),
                    new ListenAddress("10.0.0.1", 3),
                    new ListenAddress("10.0.0.2", 1),
                    new ListenAddress("::1", 2),
                    new ListenAddress("0.0.0.0", 7),
                    new ListenAddress("0.0.0.0", 8),
                    "storage.test",
                    List.of("azurite"),
                    TLS,
                    ListenersConfig.AdminTls.AUTO,
                    new ConnectionsConfig(5, 6, PROXIES)),
                new ProtocolConfig(false, false, Duration.ZERO, Duration.ofSeconds(9), SOURCES),
                new RatesConfig(3, 4),
                TROUBLE,
                null,
                new ScrubConfig(Duration.ofDays(7), 8L << 20),
                BackupConfig.NONE,
                NO_CONSOLE,
                TokenConfig.NONE,
                AuditConfig.NONE,
                DevelopmentConfig.OFF));
  }

  @Test
  void scrubAndBackupCanBeChanged() {
    ServerConfig changed =
        ServerConfig.builder()
            .scrubInterval(Duration.ofHours(1))
            .scrubBytesPerSecond(5)
            .backup(plan -> plan.withTarget("target").withMinutes(10).withKeep(11))
            .backup(plan -> plan.withRateMib(12).withAccounts(true))
            .backup(plan -> plan.withArchive(true).withArchiveDiskMib(13))
            .build();
    assertThat(changed.scrub()).isEqualTo(new ScrubConfig(Duration.ofHours(1), 5));
    assertThat(changed.backup()).isEqualTo(new BackupConfig("target", 10, 11, 12, true, true, 13));
    assertThat(changed.store().keptLogBytesMax()).isEqualTo(13 << 20);
  }

  @Test
  void theConsoleCanBeChanged() {
    ServerConfig changed =
        ServerConfig.builder()
            .consoleOpen(true)
            .consoleUsers(Path.of("users"))
            .consoleHosts(List.of("ops.example"))
            .build();
    assertThat(changed.console())
        .isEqualTo(new ConsoleConfig(true, Path.of("users"), List.of("ops.example")));
  }
}
