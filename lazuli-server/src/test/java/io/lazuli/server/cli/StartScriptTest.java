package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code lazuli} in a copy of the repository that has the folders and no content. A fake
 * Maven makes empty jars and records what it was asked for; a fake Java prints its arguments.
 */
class StartScriptTest {
  private static final List<String> MODULES =
      List.of(
          "lazuli-storage",
          "lazuli-storage-rocksdb",
          "lazuli-console",
          "lazuli-server",
          "lazuli-client",
          "lazuli-transfer",
          "lazuli-conformance",
          "examples");

  private static final String MAVEN =
      """
      #!/bin/sh
      echo "$*" >>"$BUILDS"
      while [ "$1" != -pl ]; do shift; done
      for module in $(echo "$2" | tr , ' '); do
        mkdir -p "$module/target"
        case $module in
          lazuli-server) : >"$module/target/lazuli.jar" ;;
          lazuli-transfer) : >"$module/target/lazuli-transfer.jar" ;;
          lazuli-conformance) : >"$module/target/lazuli-conformance.jar" ;;
          examples) : >"$module/target/lazuli-tour.jar" ;;
        esac
      done
      """;

  private static final String JAVA =
      """
      #!/bin/sh
      case $1 in -version) echo 'openjdk version "17.0.1"' >&2 ;; *) echo "$*" ;; esac
      """;

  @TempDir private Path home;

  @BeforeEach
  void makeRepository() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "the system has no sh");
    Files.copy(Path.of("..", "lazuli"), home.resolve("lazuli"));
    Files.writeString(home.resolve("pom.xml"), "");
    for (String module : MODULES) {
      Files.createDirectories(home.resolve(module).resolve("src/main"));
      Files.writeString(home.resolve(module).resolve("pom.xml"), "");
    }
    program("mvn", MAVEN);
    program("java", JAVA);
  }

  /** Before, there were three builds. */
  @Test
  void theFirstBuildServesAllCommands() throws Exception {
    assertThat(run("serve")).endsWith("lazuli-server/target/lazuli.jar serve");
    assertThat(run("tour")).endsWith("examples/target/lazuli-tour.jar tour");
    assertThat(run("conformance")).endsWith("lazuli-conformance.jar conformance");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void theFirstBuildOfAnotherCommandServesAllCommandsToo() throws Exception {
    run("tour");
    run("serve");
    run("conformance");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aChangeBuildsOnlyTheCommandThatRuns() throws Exception {
    run("serve");
    Path changed = Files.writeString(home.resolve("lazuli-server/src/main/Changed.java"), "");
    Files.setLastModifiedTime(changed, FileTime.from(Instant.now().plusSeconds(2)));
    run("serve");
    assertThat(builds()).hasSize(2);
    assertThat(builds().get(1)).doesNotContain("examples").doesNotContain("conformance");
    run("tour");
    assertThat(builds()).hasSize(3);
    assertThat(builds().get(2)).contains("examples").doesNotContain("conformance");
  }

  /** The import from Azurite needs the store, and belongs to the server. */
  @Test
  void transfersAreAProgramOfTheirOwn() throws Exception {
    assertThat(run("export", "table", "--help"))
        .endsWith("lazuli-transfer.jar export table --help");
    assertThat(run("table", "count", "Orders")).endsWith("lazuli-transfer.jar table count Orders");
    assertThat(run("import", "table", "Orders", "f.csv"))
        .endsWith("lazuli-transfer.jar import table Orders f.csv");
    assertThat(run("import", "azurite", "folder")).endsWith("lazuli.jar import azurite folder");
    assertThat(run("import")).endsWith("lazuli.jar import");
  }

  /** An unpacked archive has no sources and no Maven. */
  @Test
  void anArchiveRunsItsProgramsOnItsJava() throws Exception {
    for (String module : MODULES) {
      Files.delete(home.resolve(module).resolve("pom.xml"));
      Files.delete(home.resolve(module).resolve("src/main"));
      Files.delete(home.resolve(module).resolve("src"));
    }
    Files.createDirectories(home.resolve("lib"));
    Files.writeString(home.resolve("lib/lazuli.jar"), "");
    Files.writeString(home.resolve("lib/lazuli-transfer.jar"), "");
    assertThat(run("serve")).endsWith("-jar " + home.toRealPath() + "/lib/lazuli.jar serve");
    assertThat(run("table", "count", "Orders"))
        .endsWith("/lib/lazuli-transfer.jar table count Orders");
    Path java = Files.createDirectories(home.resolve("java/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho own \"$*\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(home.resolve("java/release"), "JAVA_VERSION=\"17.0.15\"\n");
    assertThat(run("serve")).startsWith("own -XX").endsWith("/lib/lazuli.jar serve");
    Files.writeString(home.resolve("java/release"), "JAVA_VERSION=\"25\"\n");
    assertThat(run("serve")).contains("--enable-native-access=ALL-UNNAMED");
    assertThat(Files.exists(home.resolve("builds"))).isFalse();
  }

  @Test
  void aJavaThatIsOldOrDoesNotRunIsRefused() throws Exception {
    String java = home + "/jdk/bin/java";
    program("java", "#!/bin/sh\necho 'java version \"1.8.0_292\"' >&2\n");
    assertThat(refusal("serve"))
        .isEqualTo(
            "lazuli: " + java + " is version 8; Lazuli needs JDK 17 or newer (set JAVA_HOME)");
    program("java", "#!/bin/sh\necho 'Unable to locate a Java Runtime.' >&2\nexit 1\n");
    assertThat(refusal("serve"))
        .isEqualTo(
            "lazuli: " + java + " does not run; install a JDK 17 or newer, or set JAVA_HOME");
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(home.resolve("builds"));
  }

  private void program(String name, String text) throws IOException {
    Path bin = Files.createDirectories(home.resolve("jdk/bin"));
    Path file = Files.writeString(bin.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** Returns what the script printed, without its messages. */
  private String run(String... words) throws Exception {
    Process process = start(words);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(home.resolve("err"))).isZero();
    return printed.strip();
  }

  /** Returns the message of a script that gives up. */
  private String refusal(String... words) throws Exception {
    Process process = start(words);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    return Files.readString(home.resolve("err")).strip();
  }

  private Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", home.resolve("lazuli").toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(home.resolve("err").toFile());
    builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    builder.environment().put("PATH", home.resolve("jdk/bin") + ":" + System.getenv("PATH"));
    builder.environment().put("BUILDS", home.resolve("builds").toString());
    builder.environment().remove("LAZULI_ENGINE");
    return builder.start();
  }
}
