package io.lazuli.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Publishes the artifacts into a folder and builds the sample application with an empty local
 * repository and that folder, on both lines of Spring Boot. Downloads Spring Boot.
 */
@Tag("long")
class SpringSampleIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir static Path folder;

  @BeforeAll
  static void publish() throws IOException, InterruptedException {
    maven(
        "publish",
        ROOT,
        "-DskipTests",
        "-Dspotless.check.skip=true",
        "-Prelease",
        "-DaltDeploymentRepository=released::" + released().toUri(),
        "deploy");
    Files.writeString(
        folder.resolve("settings.xml"),
        """
        <settings>
          <localRepository>%s</localRepository>
          <profiles><profile><id>released</id><repositories><repository>
            <id>released</id><url>%s</url><snapshots><enabled>true</enabled></snapshots>
          </repository></repositories></profile></profiles>
          <activeProfiles><activeProfile>released</activeProfile></activeProfiles>
        </settings>
        """
            .formatted(folder.resolve("repository"), released().toUri()),
        StandardCharsets.UTF_8);
  }

  private static Path released() {
    return folder.resolve("released");
  }

  private static String maven(String name, Path where, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp"));
    command.addAll(Arrays.asList(arguments));
    Path log = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int exit = process.waitFor();
    String text = Files.readString(log);
    assertThat(exit).as("%s", text.substring(Math.max(0, text.length() - 5_000))).isZero();
    return text;
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.5.16", "4.1.1"})
  void theSampleIsGreenWithNothingButTheArtifacts(String version)
      throws IOException, InterruptedException {
    Path sample = folder.resolve("sample-" + version);
    maven(
        "sample-" + version,
        ROOT,
        "-f",
        "examples/spring-boot/pom.xml",
        "-s",
        folder.resolve("settings.xml").toString(),
        "-Dspring-boot.version=" + version,
        "-DbuildDirectory=" + sample,
        "verify");
    assertThat(Files.readString(folder.resolve("sample-" + version + ".log")))
        .contains("Tests run: 4, Failures: 0, Errors: 0, Skipped: 1");
  }

  /** What JBang does with the alias of the catalog. */
  @Test
  void theServerStartsFromItsArtifacts() throws IOException, InterruptedException {
    Path project = Files.createDirectory(folder.resolve("server"));
    Files.writeString(
        project.resolve("pom.xml"),
        """
        <project><modelVersion>4.0.0</modelVersion>
          <groupId>com.example</groupId><artifactId>server</artifactId><version>1</version>
          <dependencies><dependency>
            <groupId>io.lazuli</groupId><artifactId>lazuli-server</artifactId><version>0.1.0-SNAPSHOT</version>
          </dependency><dependency>
            <groupId>info.picocli</groupId><artifactId>picocli</artifactId><version>4.7.7</version>
          </dependency><dependency>
            <groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.5.38</version>
          </dependency></dependencies>
        </project>
        """);
    maven(
        "server",
        project,
        "-s",
        folder.resolve("settings.xml").toString(),
        "dependency:copy-dependencies",
        "-DincludeScope=runtime",
        "-DoutputDirectory=lib");
    Path log = folder.resolve("version.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                "lib/*",
                "io.lazuli.server.cli.Main",
                "--version")
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor()).as("%s", Files.readString(log)).isZero();
    assertThat(Files.readString(log)).contains("0.1.0");
  }

  @Test
  void everyPublishedJarHasSourcesDocumentationAndWhatCentralAsksFor() throws IOException {
    Path artifacts = released().resolve("io/lazuli");
    List<String> missing = new ArrayList<>();
    try (var modules = Files.newDirectoryStream(artifacts)) {
      for (Path module : modules) {
        missing.addAll(missing(module));
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<String> missing(Path module) throws IOException {
    List<String> names = new ArrayList<>();
    try (var files = Files.walk(module)) {
      files.filter(Files::isRegularFile).forEach(file -> names.add(file.getFileName().toString()));
    }
    List<String> missing = new ArrayList<>();
    boolean jar = names.stream().anyMatch(name -> name.matches(".*\\d\\.jar"));
    for (String suffix : jar ? List.of("-sources.jar", "-javadoc.jar") : List.<String>of()) {
      if (names.stream().noneMatch(name -> name.endsWith(suffix))) {
        missing.add(module.getFileName() + suffix);
      }
    }
    if (names.stream().noneMatch(name -> name.endsWith(".pom"))) {
      missing.add(module.getFileName() + ".pom");
    }
    return missing;
  }
}
