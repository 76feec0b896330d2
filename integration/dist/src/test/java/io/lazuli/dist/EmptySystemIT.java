package io.lazuli.dist;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive with a Java in a system with nothing but Debian's essential packages and libstdc++.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmptySystemIT {
  private static final String[] ALL = {"blob", "queue", "table"};

  @TempDir private Path folder;

  @Test
  void whatTheSdksWriteSurvivesAKill() throws Exception {
    String obstacle = Container.obstacle("mmdebstrap");
    if (!obstacle.isEmpty()) {
      System.err.println("THE ARCHIVE DID NOT RUN IN AN EMPTY SYSTEM: " + obstacle);
    }
    assumeTrue(obstacle.isEmpty(), obstacle);
    // Not a temporary folder, because its cleanup warns about every link of the system.
    Path shared = Path.of("target", "empty-system").toAbsolutePath();
    Dist.run(Map.of("PATH", "/usr/bin:/bin"), "rm", "-rf", shared.toString());
    Path archives = Files.createDirectories(shared.resolve("archives"));
    Path archive = Dist.archive(Dist.WITH_JAVA);
    Files.copy(archive, archives.resolve(archive.getFileName()));
    Path root = Container.makeDebian(shared.resolve("root"), List.of("libstdc++6"));
    try (Container container = Container.idle(root, folder, archives)) {
      container.run("tar", "xzf", "/data/" + archive.getFileName(), "-C", "/opt");
      try (RunningServer server = serve(container)) {
        container.write(server.connectionString(), ALL);
      }
      try (RunningServer server = serve(container)) {
        container.read(server.connectionString(), ALL);
      }
    }
  }

  private static RunningServer serve(Container container) throws Exception {
    return RunningServer.await(
        container
            .command("/opt/" + Dist.WITH_JAVA + "/lazuli", "serve", "--data", "/srv/lazuli")
            .redirectErrorStream(true)
            .start());
  }
}
