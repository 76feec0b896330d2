package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.account.Account;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
  private static final Account ACCOUNT = Account.development();
  private static final TlsFiles TLS = new TlsFiles(Path.of("server.pfx"), null, "secret");

  private static final Rehearsal TROUBLE = Rehearsal.parse("busy=1");

  @Test
  void aHostForAllIsOverruledByAServicesOwnInAnyOrder() {
    ServerConfig config = ServerConfig.builder().tableHost("::1").host("10.0.0.1").build();
    assertThat(config.host(ServiceName.BLOB)).isEqualTo("10.0.0.1");
    assertThat(config.host(ServiceName.TABLE)).isEqualTo("::1");
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
                "rocksdb",
                null,
                null,
                Path.of("lazuli-data"),
                Durability.DISK,
                384L << 20,
                null,
                List.of(),
                EnumSet.allOf(ServiceName.class),
                "127.0.0.1",
                "127.0.0.1",
                "127.0.0.1",
                10000,
                10001,
                10002,
                "127.0.0.1",
                10010,
                false,
                0,
                0,
                true,
                true,
                Duration.ofMinutes(15),
                null,
                Rehearsal.OFF));
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
            .allowDevelopmentAccount(true)
            .accountRate(3)
            .partitionRate(4)
            .lenientPaths(false)
            .hostStyle(false)
            .dateWindow(Duration.ZERO)
            .tls(TLS)
            .rehearsal(TROUBLE)
            .build();
    assertThat(changed)
        .isEqualTo(
            new ServerConfig(
                "memory",
                Path.of("jars"),
                Path.of("site.xml"),
                Path.of("elsewhere"),
                Durability.RELAXED,
                7,
                Path.of("shared"),
                List.of(ACCOUNT),
                Set.of(ServiceName.TABLE),
                "0.0.0.0",
                "10.0.0.1",
                "10.0.0.2",
                5,
                3,
                1,
                "::1",
                2,
                true,
                3,
                4,
                false,
                false,
                Duration.ZERO,
                TLS,
                TROUBLE));
  }
}
