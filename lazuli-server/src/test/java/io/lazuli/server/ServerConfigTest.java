package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
  @Test
  void theDefaultsAreThese() {
    assertThat(ServerConfig.builder().build())
        .isEqualTo(
            new ServerConfig(
                "rocksdb",
                Path.of("lazuli-data"),
                Durability.DISK,
                null,
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
                Duration.ofMinutes(15),
                null));
  }

  @Test
  void everySettingCanBeChanged() {
    ServerConfig changed =
        ServerConfig.builder()
            .engine("memory")
            .dataFolder(Path.of("elsewhere"))
            .durability(Durability.RELAXED)
            .accountsFile(Path.of("shared"))
            .host("0.0.0.0")
            .blobPort(5)
            .queuePort(3)
            .tablePort(1)
            .adminHost("::1")
            .adminPort(2)
            .allowDevelopmentAccount(true)
            .accountRate(3)
            .partitionRate(4)
            .lenientPaths(false)
            .dateWindow(Duration.ZERO)
            .tls(new TlsFiles(Path.of("c"), Path.of("k"), null))
            .build();
    assertThat(changed)
        .isEqualTo(
            new ServerConfig(
                "memory",
                Path.of("elsewhere"),
                Durability.RELAXED,
                Path.of("shared"),
                "0.0.0.0",
                5,
                3,
                1,
                "::1",
                2,
                true,
                3,
                4,
                false,
                Duration.ZERO,
                new TlsFiles(Path.of("c"), Path.of("k"), null)));
  }
}
