package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import io.lazuli.dist.Container.Launch;
import java.io.BufferedReader;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
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
  private static final Map<String, String> TOOLS = Map.of("PATH", "/usr/bin:/bin");

  private static Image image;

  @TempDir private Path folder;

  @BeforeAll
  static void makeImage() throws Exception {
    image = Image.made("IMAGE CASES");
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
                .with("AZURITE_ACCOUNTS=devstoreaccount1:" + Dist.DEVELOPMENT_KEY),
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
        // compose files, CI files and README files found on GitHub
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
        Arguments.of(
            "compose, one port named",
            Launch.running("azurite-blob", "--blobHost", "0.0.0.0", "--blobPort", "10000"),
            "blob"),
        Arguments.of("docker run --user", Launch.unchanged().as("4711:4711"), ALL),
        Arguments.of(
            "docker run --read-only", Launch.unchanged().as("4711:4711").inConfinement(), ALL),
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

  /** The health checks of compose files, CI files, Testcontainers, and that of the image. */
  @Test
  void healthChecksPass() throws Exception {
    try (Container container = Container.start(image, folder, volume(), Launch.unchanged())) {
      container.await("Lazuli " + Dist.VERSION);
      assertThat(container.exec("sh", "-c", "nc 127.0.0.1 10000 -z")).isZero();
      assertThat(container.exec("nc", "-z", "127.0.0.1", "10000")).isZero();
      assertThat(container.exec("/bin/sh", "-c", "nc -z localhost 10000")).isZero();
      assertThat(container.exec("nc", "-z", "localhost", "10002")).isZero();
      // testcontainers-java, InternalCommandPortListeningCheck; testcontainers-node has the parts
      for (String check :
          List.of(
              "cat /proc/net/tcp* | awk '{print $2}' | grep -i ':0*2710'",
              "nc -vz -w 1 localhost 10000",
              "/bin/bash -c '</dev/tcp/localhost/10000'")) {
        assertThat(container.exec("/bin/sh", "-c", check)).as(check).isZero();
      }
      assertThat(container.exec("lazuli", "health")).isZero();
      assertThat(container.exec("/bin/sh", "-c", healthCheck())).isZero();
      container.stop();
    }
  }

  @Test
  void aHealthCheckFailsWhereNothingListens() throws Exception {
    Launch sleeping = Launch.running("sh", "-c", "echo up; exec sleep 600");
    try (Container container = Container.start(image, folder, volume(), sleeping)) {
      container.await("up");
      assertThat(container.exec("sh", "-c", "command -v nc >/dev/null")).isZero();
      assertThat(container.exec("/bin/sh", "-c", healthCheck())).isNotZero();
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
    Dist.run(TOOLS, "chown", "-R", "0:0", data.toString());
    Path other = Files.createDirectories(folder.resolve("again"));
    try (Container container = Container.start(image, other, data, Launch.unchanged())) {
      container.await("Lazuli ");
      container.roundTrip(RoundTrip.developmentAccount(), "queue");
      assertThat(container.user()).isEqualTo(1000);
    }
  }

  /** For example a folder of {@code mktemp -d}, mounted by a user who is not 1000. */
  @Test
  void aFolderThatOnlyItsOwnerCanEnterIsUsedAsItsOwner() throws Exception {
    Path data = folder.resolve("data");
    Files.createDirectory(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Dist.run(TOOLS, "chown", "1001:1001", data.toString());
    try (Container container = Container.start(image, folder, data, Launch.unchanged())) {
      container.await("Lazuli ");
      container.roundTrip(RoundTrip.developmentAccount(), "table");
      assertThat(container.user()).isEqualTo(1001);
      assertThat(container.exec("lazuli", "health")).isZero();
      container.stop();
    }
  }

  @Test
  void theVariableNamesTheFolderIfNoOptionDoes() throws Exception {
    Launch launch =
        Launch.running("azurite", "--blobHost", "0.0.0.0").with("LAZULI_DATA=/var/lazuli");
    try (Container container = Container.start(image, folder, volume(), launch)) {
      container.await("Lazuli " + Dist.VERSION + ", data in /var/lazuli");
      assertThat(container.user()).isEqualTo(1000);
    }
  }

  /**
   * Testcontainers for Java, AzuriteContainer.withSsl, copies the files into the container as root
   * and with their mode, which is usually 0600 for keys.
   */
  @Test
  void aKeyThatOnlyRootCanReadIsUsed() throws Exception {
    Path made = folder.resolve("made");
    Dist.run(TOOLS, image.root() + "/opt/lazuli/lazuli", "dev-cert", "--folder", made.toString());
    Path root = Files.createDirectories(folder.resolve("changes"));
    Files.copy(made.resolve("localhost.pem"), root.resolve("cert.pem"));
    Path key = Files.copy(made.resolve("localhost-key.pem"), root.resolve("key.pem"));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Launch launch =
        Launch.running(
            more(words("azurite", ALL_HOSTS), "--cert", "/cert.pem", "--key", "/key.pem"));
    try (Container container = Container.start(image, folder, volume(), launch)) {
      container.await("Azurite Blob service is successfully listening at https://0.0.0.0:10000");
      container.await("Lazuli " + Dist.VERSION);
      container.roundTrip(
          RoundTrip.developmentAccount("https"),
          "trust=" + made.resolve("ca.pem"),
          "blob",
          "queue",
          "table");
      assertThat(container.user()).isEqualTo(1000);
      assertThat(container.stop()).anyMatch(line -> line.contains("service successfully closed"));
    }
    assertThat(Files.getOwner(key).getName()).isEqualTo("root");
  }

  @Test
  void aCertificateInPfxFormatIsUsed() throws Exception {
    Path root = Files.createDirectories(folder.resolve("changes"));
    Path pfx = root.resolve("cert.pfx");
    Dist.run(
        Map.of(),
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "server",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-storetype",
        "PKCS12",
        "-keystore",
        pfx.toString(),
        "-storepass",
        "secret");
    Files.setPosixFilePermissions(pfx, PosixFilePermissions.fromString("rw-------"));
    Launch launch =
        Launch.running(more(words("azurite", ALL_HOSTS), "--cert", "/cert.pfx", "--pwd", "secret"));
    try (Container container = Container.start(image, folder, volume(), launch)) {
      container.await("Azurite Blob service is successfully listening at https://0.0.0.0:10000");
      assertThat(container.user()).isEqualTo(1000);
    }
  }

  /** The client is asked for the body, so the request is under way, before the signal comes. */
  @Test
  void aRequestUnderWayIsAnsweredAfterSigterm() throws Exception {
    Path data = volume();
    BlobClient blob =
        new BlobServiceClientBuilder()
            .connectionString(RoundTrip.developmentAccount())
            .buildClient()
            .getBlobContainerClient("box")
            .getBlobClient("slow");
    String address =
        URI.create(blob.getBlobUrl()).getPath()
            + "?"
            + blob.generateSas(
                new BlobServiceSasSignatureValues(
                    OffsetDateTime.now(ZoneOffset.UTC).plusHours(1),
                    BlobSasPermission.parse("rcw")));
    try (Container container = Container.start(image, folder, data, Launch.unchanged())) {
      container.await("Lazuli " + Dist.VERSION);
      container.roundTrip(RoundTrip.developmentAccount(), "blob");
      Process client = container.command("nc", "127.0.0.1", "10000").start();
      BufferedReader answers = client.inputReader(StandardCharsets.US_ASCII);
      Writer request = client.outputWriter(StandardCharsets.US_ASCII);
      request.write("PUT " + address + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n");
      request.write("x-ms-blob-type: BlockBlob\r\nExpect: 100-continue\r\n\r\n");
      request.flush();
      assertThat(answers.readLine()).isEqualTo("HTTP/1.1 100 Continue");
      assertThat(answers.readLine()).isEmpty();
      request.write("first");
      request.flush();
      container.terminate();
      container.await("Azurite Blob service is closing...");
      request.write("after");
      request.close();
      assertThat(answers.readLine()).isEqualTo("HTTP/1.1 201 Created");
      assertThat(answers.lines().map(line -> line.toLowerCase(Locale.ROOT)))
          .contains("connection: close");
      assertThat(container.end(0)).anyMatch(line -> line.contains("service successfully closed"));
    }
    Path other = Files.createDirectories(folder.resolve("again"));
    try (Container container = Container.start(image, other, data, Launch.unchanged())) {
      container.await("Lazuli " + Dist.VERSION);
      Process client = container.command("nc", "127.0.0.1", "10000").start();
      Writer request = client.outputWriter(StandardCharsets.US_ASCII);
      request.write("GET " + address + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      request.close();
      assertThat(client.inputReader(StandardCharsets.US_ASCII).lines()).contains("firstafter");
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

  private static String healthCheck() {
    List<?> check = (List<?>) Image.map(image.config().get("Healthcheck")).get("Test");
    assertThat(check.get(0)).isEqualTo("CMD-SHELL");
    return check.get(1).toString();
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
