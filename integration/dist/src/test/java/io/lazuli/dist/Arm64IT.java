package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive for arm64, emulated by QEMU. The property {@code arm64.root} names a folder with
 * Debian's packages libc6, libgcc-s1, libstdc++6 and zlib1g for arm64.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Arm64IT {
  private static final Path QEMU = Path.of("/usr/bin/qemu-aarch64-static");
  private static final String ROOT = System.getProperty("arm64.root", "");

  @TempDir private Path folder;

  @BeforeEach
  void requireEmulator() {
    boolean runs = Files.exists(Dist.archive(Dist.ARM64)) && Files.exists(QEMU) && !ROOT.isEmpty();
    if (!runs) {
      System.err.println(
          "ARM64 CASES DID NOT RUN: they need the archive, qemu-user-static and -Darm64.root");
    }
    assumeTrue(runs);
  }

  @Test
  void theArchiveServesTheSdks() throws Exception {
    Path home = Dist.unpack(Dist.ARM64, folder);
    Path java = home.resolve("java/bin/java");
    Path emulated = Files.move(java, java.resolveSibling("emulated"));
    Files.writeString(
        java, "#!/bin/sh\nexec " + QEMU + " -L " + ROOT + " " + emulated + " \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment = Map.of("PATH", Dist.tools(folder).toString());
    try (RunningServer server = RunningServer.start(home, environment, folder.resolve("data"))) {
      RoundTrip trip =
          new RoundTrip(server.connectionString(), new NettyAsyncHttpClientBuilder().build());
      trip.write();
      trip.read();
    }
  }
}
