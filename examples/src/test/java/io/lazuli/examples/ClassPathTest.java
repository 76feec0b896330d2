package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test class path of this module is that of a user of lazuli-junit: it has no RocksDB. */
class ClassPathTest {
  /**
   * Most of it is the server with its own Netty and Micrometer; the verification of tokens takes
   * 0.8 MB, the console and the load that it shows 0.4 MB. RocksDB alone has 92 MB.
   */
  private static final long OWN_BYTES_MAX = 16_000_000;

  /** With three SDKs, the legacy SDK and AssertJ; before, it was 138 MB. */
  private static final long BYTES_MAX = 60_000_000;

  @Test
  void itIsSmall() {
    List<File> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(File::new)
            .filter(File::isFile)
            .toList();
    assertThat(jars).extracting(File::getName).noneMatch(name -> name.contains("rocksdb"));
    assertThat(bytes(jars.stream().filter(jar -> jar.getName().startsWith("lazuli-"))))
        .isBetween(1L, OWN_BYTES_MAX);
    assertThat(bytes(jars.stream())).isBetween(1L, BYTES_MAX);
  }

  private static long bytes(Stream<File> jars) {
    return jars.mapToLong(File::length).sum();
  }

  @Test
  void aServerOnDiskSaysWhichDependencyIsMissing(@TempDir Path folder) {
    ServerConfig config = ServerConfig.builder().freePorts().dataFolder(folder).build();
    assertThatThrownBy(() -> LazuliServer.start(config))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("add the dependency io.lazuli:lazuli-storage-rocksdb");
  }
}
