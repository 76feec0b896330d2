package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lazuli.dist.Container.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The container image in place of Azurite's: the command lines of well-known launchers, run in a
 * root made from the image. The sources of the command lines are next to them.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImageIT {
  private static final String[] ALL_HOSTS = {
    "--blobHost", "0.0.0.0", "--queueHost", "0.0.0.0", "--tableHost", "0.0.0.0"
  };
  private static final String ALL = "blob queue table";

  private static Image image;

  @TempDir private Path folder;

  @BeforeAll
  static void makeImage() throws Exception {
    String obstacle = Container.obstacle("buildah", "mmdebstrap");
    if (!obstacle.isEmpty()) {
      System.err.println("IMAGE CASES DID NOT RUN: " + obstacle);
    }
    assumeTrue(obstacle.isEmpty(), obstacle);
    // Not a temporary folder, because its cleanup warns about every link of the image.
    Path shared = Path.of("target", "image").toAbsolutePath();
    Dist.run(Map.of("PATH", "/usr/bin:/bin"), "rm", "-rf", shared.toString());
    Files.createDirectories(shared);
    image = Image.unpack(Image.build(shared.resolve("image.tar.gz")), shared);
  }

  static Stream<Arguments> launchers() {
    return Stream.of(
        // docker run IMAGE; services of GitHub Actions cannot pass arguments
        Arguments.of("GitHub Actions", Launch.unchanged(), ALL),
        // testcontainers-java, AzuriteContainer.getCommandLine
        Arguments.of("Testcontainers for Java", Launch.running(words("azurite", ALL_HOSTS)), ALL),
        // testcontainers-dotnet, AzuriteBuilder.Init and WithInMemoryPersistence
        Arguments.of("Testcontainers for .NET", Launch.through("azurite", ALL_HOSTS), ALL),
        Arguments.of(
            "Testcontainers for .NET, in memory",
            Launch.through(
                "azurite", more(ALL_HOSTS, "--inMemoryPersistence", "--extentMemoryLimit", "64")),
            ALL),
        // testcontainers-node, azurite-container.ts, with all of its options
        Arguments.of(
            "Testcontainers for Node.js",
            Launch.through(
                    "azurite", more(ALL_HOSTS, "--inMemoryPersistence", "--skipApiVersionCheck"))
                .with("AZURITE_ACCOUNTS=devstoreaccount1:" + RoundTrip.KEY),
            ALL),
        // testcontainers-go, azurite.go, with one enabled service
        Arguments.of(
            "Testcontainers for Go", Launch.through("azurite", "--blobHost", "0.0.0.0"), "blob"),
        // Aspire.Hosting.Azure.Storage, RunAsEmulator
        Arguments.of(
            "Aspire",
            Launch.running(
                more(
                    words("azurite", words("-l", words("/data", ALL_HOSTS))),
                    "--skipApiVersionCheck")),
            ALL),
        // compose files and README files found on GitHub
        Arguments.of(
            "compose, loose", Launch.running(words("azurite", words("--loose", ALL_HOSTS))), ALL),
        Arguments.of(
            "compose, blobs only",
            Launch.running("azurite-blob", "--skipApiVersionCheck", "--blobHost", "0.0.0.0"),
            "blob"),
        Arguments.of(
            "compose, tables only",
            Launch.running("azurite-table", "--tableHost", "0.0.0.0"),
            "table"),
        Arguments.of(
            "compose, queues only",
            Launch.running("azurite-queue", "--queueHost", "0.0.0.0"),
            "queue"),
        Arguments.of(
            "docker run, a folder of its own",
            Launch.running(
                more(
                    words("azurite", words("-l", words("/workspace", ALL_HOSTS))),
                    "-d",
                    "/workspace/debug.log",
                    "--loose",
                    "--skipApiVersionCheck",
                    "--disableProductStyleUrl")),
            ALL),
        Arguments.of("docker run --user", Launch.unchanged().as("4711:4711"), ALL),
        Arguments.of(
            "lazuli", Launch.through("lazuli", "azurite", "--blobHost", "0.0.0.0"), "blob"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("launchers")
  void aLauncherOfAzuriteStartsIt(String name, Launch launch, String services) throws Exception {
    try (Container container = Container.start(image, folder, volume(), launch)) {
      for (String service : services.split(" ", -1)) {
        String title = Character.toUpperCase(service.charAt(0)) + service.substring(1);
        container.await("Azurite " + title + " service is starting");
        // Testcontainers waits for this line. Azurite's commands for one service have others.
        if (!launch.command().toString().contains("azurite-")) {
          container.await(title + " service is successfully listening");
        }
      }
      container.await("Lazuli " + Dist.VERSION);
      container.roundTrip(RoundTrip.developmentAccount(), services.split(" ", -1));
      assertThat(container.user()).isEqualTo(launch.user().isEmpty() ? 1000 : 4711);
      assertThat(container.stop()).anyMatch(line -> line.contains("service successfully closed"));
    }
  }

  /** The health checks of compose files, that of the image, and the command. */
  @Test
  void healthChecksPass() throws Exception {
    try (Container container = Container.start(image, folder, volume(), Launch.unchanged())) {
      container.await("Lazuli " + Dist.VERSION);
      assertThat(container.exec("sh", "-c", "nc 127.0.0.1 10000 -z")).isZero();
      assertThat(container.exec("nc", "-z", "localhost", "10002")).isZero();
      assertThat(container.exec("lazuli", "health")).isZero();
      List<?> check = (List<?>) Image.map(image.config().get("Healthcheck")).get("Test");
      assertThat(check.get(0)).isEqualTo("CMD-SHELL");
      assertThat(container.exec("/bin/sh", "-c", check.get(1).toString())).isZero();
      container.stop();
    }
  }

  @Test
  void aHealthCheckFailsWhereNothingListens() throws Exception {
    List<?> check = (List<?>) Image.map(image.config().get("Healthcheck")).get("Test");
    Launch sleeping = Launch.running("sh", "-c", "echo up; exec sleep 600");
    try (Container container = Container.start(image, folder, volume(), sleeping)) {
      container.await("up");
      assertThat(container.exec("sh", "-c", "command -v nc >/dev/null")).isZero();
      assertThat(container.exec("/bin/sh", "-c", check.get(1).toString())).isNotZero();
    }
  }

  /** A volume that an image wrote as root, for example one that never changed its user. */
  @Test
  void dataThatRootWroteIsGivenToTheServer() throws Exception {
    Path data = volume();
    try (Container container = Container.start(image, folder, data, Launch.unchanged())) {
      container.await("Lazuli ");
      container.roundTrip(RoundTrip.developmentAccount(), "table");
      container.stop();
    }
    Dist.run(Map.of("PATH", "/usr/bin:/bin"), "chown", "-R", "0:0", data.toString());
    Path other = Files.createDirectories(folder.resolve("again"));
    try (Container container = Container.start(image, other, data, Launch.unchanged())) {
      container.await("Lazuli ");
      container.roundTrip(RoundTrip.developmentAccount(), "queue");
      assertThat(container.user()).isEqualTo(1000);
    }
  }

  @Test
  void theImageSaysWhatAzuritesSays() {
    assertThat(image.config().get("ExposedPorts").toString())
        .contains("10000/tcp", "10001/tcp", "10002/tcp", "10010/tcp");
    assertThat(image.config().get("Volumes").toString()).contains("/data");
    assertThat(image.config().get("Labels").toString())
        .contains("org.springframework.boot.service-connection=azure-storage/azurite");
    assertThat(image.list("Entrypoint")).isEmpty();
    assertThat(image.list("Cmd").get(0)).isEqualTo("azurite");
  }

  @Test
  void theComposeFileNamesThisVersion() throws Exception {
    assertThat(Files.readString(Dist.SOURCE.resolve("deploy/compose.yaml")))
        .contains("image: ${LAZULI_IMAGE:-lazuli:" + Dist.VERSION + "}");
  }

  @Test
  void anotherBuildMakesTheSameBytes() throws Exception {
    Path again = Image.build(folder.resolve("again.tar.gz"));
    assertThat(Files.mismatch(image.archive(), again)).isEqualTo(-1);
  }

  /** Returns a folder as a new volume is: container engines give it the rights of the image's. */
  private Path volume() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    return Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private static String[] words(String first, String... rest) {
    return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
  }

  private static String[] more(String[] first, String... rest) {
    return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
  }
}
