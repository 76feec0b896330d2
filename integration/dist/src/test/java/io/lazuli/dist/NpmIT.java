package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import io.lazuli.dist.NpmApp.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The npm packages, installed by npm into an empty folder without a registry. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NpmIT {
  private static final String MAIN = Dist.PLAIN + "-npm";
  private static final String JAVA = MAIN + "-linux-x64";
  private static final String[] CLOSING = {
    "Azurite Blob service is closing...",
    "Azurite Queue service is closing...",
    "Azurite Table service is closing...",
    "Azurite Blob service successfully closed",
    "Azurite Queue service successfully closed",
    "Azurite Table service successfully closed"
  };

  /** With the package that has a Java. */
  private static NpmApp complete;

  /** Without it, as on other systems. */
  private static NpmApp bare;

  @TempDir private Path folder;

  @BeforeAll
  static void install(@TempDir Path shared) throws Exception {
    String obstacle = NpmApp.obstacle();
    if (!obstacle.isEmpty()) {
      System.err.println("NPM CASES DID NOT RUN: " + obstacle);
    }
    assumeTrue(obstacle.isEmpty(), obstacle);
    complete = NpmApp.install(shared.resolve("complete"), MAIN, JAVA);
    bare = NpmApp.install(shared.resolve("bare"), MAIN);
  }

  @Test
  void npxRunsTheCommands() throws Exception {
    assertThat(complete.run("npx", "azurite", "--version"))
        .isEqualTo(new Outcome(Dist.VERSION + "\n", 0));
    assertThat(complete.run("npx", "lazuli", "--version"))
        .isEqualTo(new Outcome("lazuli " + Dist.VERSION + "\n", 0));
    assertThat(complete.run("npx", "lazuli", "export", "--help").said())
        .startsWith("Usage: lazuli export");
    assertThat(complete.run("npx", "azurite-blob", "--help").said()).contains("azurite-blob");
  }

  @Test
  void mistakesHaveAnExitCode() throws Exception {
    Outcome option = complete.run("npx", "azurite", "--blobPrt", "1");
    assertThat(option.said()).contains("The option \"blobPrt\" is unknown.");
    assertThat(option.code()).isEqualTo(1);
    assertThat(complete.run("npx", "lazuli", "tour"))
        .isEqualTo(new Outcome("lazuli: tour runs only from source\n", 1));
    assertThat(complete.run("npx", "lazuli", "serve", "--bogus").code()).isEqualTo(2);
  }

  @Test
  void azuriteServesTheSdksAndStopsInOrder() throws Exception {
    String data = folder.toString();
    try (RunningAzurite first =
        RunningAzurite.start(complete, "npx", "azurite", "--silent", "-l", data)) {
      first.trip().write();
      first.node().destroy();
      assertThat(first.end()).containsExactly(CLOSING);
      assertThat(first.exitCode()).isZero();
    }
    try (RunningAzurite second = start(complete, data)) {
      second.trip().read();
    }
  }

  /** Nobody passes on a kill, so the server watches the process that started it. */
  @Test
  void aKilledCommandLeavesNoServer() throws Exception {
    try (RunningAzurite killed = start(complete, folder.toString())) {
      killed.trip().write();
      killed.node().destroyForcibly();
      // StandaloneIT sees the lines of the server, which Java drops here once Node.js has ended.
      killed.end();
    }
    try (RunningAzurite next = start(complete, folder.toString())) {
      next.trip().read();
    }
  }

  @Test
  void aKilledServerIsAKilledCommand() throws Exception {
    try (RunningAzurite killed = start(complete, folder.toString())) {
      killed.java().destroyForcibly();
      killed.end();
      assertThat(killed.exitCode()).isEqualTo(128 + 9);
    }
  }

  /** What start-server-and-test, concurrently and Playwright send to everything they started. */
  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "KILL"})
  void aScriptOfPackageJsonEndsWithItsProcesses(String signal) throws Exception {
    try (RunningAzurite running = RunningAzurite.start(complete, "npm", "run", "azurite", "--")) {
      running.signalAll(signal);
      List<String> last = running.end();
      if (signal.equals("INT")) {
        // npm waits for its script then. Otherwise it ends first, and Java drops what is printed
        // later.
        assertThat(last).contains(CLOSING);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "JAVA_HOME", "quoted JAVA_HOME"})
  void anInstalledJavaIsUsedWithoutThePackage(String place) throws Exception {
    Path home = folder.resolve("a (b) c");
    Path real = Path.of(System.getProperty("java.home"), "bin", "java");
    NpmApp.program(home.resolve("bin"), "java", "exec " + real + " \"$@\"");
    NpmApp app =
        switch (place) {
          case "path" -> bare.withPath(home.resolve("bin"));
          case "JAVA_HOME" -> bare.with("JAVA_HOME", home + "/");
          default -> bare.with("JAVA_HOME", "\"" + home + "\"");
        };
    try (RunningAzurite running = start(app, folder.toString())) {
      running.trip().write();
      running.trip().read();
    }
  }

  /** npm before 9.6 installs it on musl, and an older glibc is not enough for it. */
  @Test
  void aPackagedJavaThatDoesNotRunIsReplacedByAnInstalledOne() throws Exception {
    NpmApp app = NpmApp.install(folder, MAIN, JAVA);
    Path java;
    try (Stream<Path> files = Files.walk(app.installed(""))) {
      java = files.filter(file -> file.endsWith("java/bin/java")).findFirst().orElseThrow();
    }
    NpmApp.program(java.getParent(), "java", "echo 'GLIBC_2.34 not found' >&2\nexit 1");
    Outcome none = app.run("npx", "lazuli", "--version");
    assertThat(none.said())
        .contains("java-linux-x64 does not run here: GLIBC_2.34 not found")
        .contains("lazuli: no Java found; install a Java 17 or newer, or set JAVA_HOME");
    assertThat(none.code()).isEqualTo(1);
    Outcome other =
        app.with("JAVA_HOME", System.getProperty("java.home")).run("npx", "lazuli", "--version");
    assertThat(other).isEqualTo(new Outcome("lazuli " + Dist.VERSION + "\n", 0));
  }

  @Test
  void withoutAJavaItSaysWhatIsMissing() throws Exception {
    Outcome none = bare.run("npx", "azurite");
    assertThat(none.said())
        .contains("lazuli: no Java found; install a Java 17 or newer, or set JAVA_HOME")
        .contains("java-linux-x64 has a Java for glibc, but npm has not installed it");
    assertThat(none.code()).isEqualTo(1);
    assertThat(bare.with("JAVA_HOME", folder.toString()).run("npx", "azurite").said())
        .contains("lazuli: JAVA_HOME is " + folder + ", but bin/java in it does not run");
    fakeJava("11.0.2");
    assertThat(bare.withPath(folder).run("npx", "azurite").said())
        .contains("lazuli: java is version 11; Lazuli needs Java 17 or newer");
  }

  /** The scripts of the archive and of the package choose programs and options separately. */
  @Test
  void programsAndOptionsAreThoseOfTheStartScript() throws Exception {
    Path archive = Dist.unpack(Dist.PLAIN, folder);
    for (String version : List.of("17.0.1", "25")) {
      fakeJava(version);
      for (String line :
          List.of(
              "lazuli serve --data x",
              "lazuli",
              "lazuli export table T",
              "lazuli table count T",
              "lazuli import table T",
              "lazuli import azurite x",
              "lazuli azurite --inMemoryPersistence",
              "azurite -s -l /tmp/x",
              "azurite-table --inMemoryPersistence",
              "azurite-blob",
              "azurite-queue --version")) {
        NpmApp app = bare.withPath(folder);
        assertThat(arguments(app, bare.installed(".bin/"), line))
            .as(line)
            .isEqualTo(arguments(app, archive, line));
        NpmApp other = app.with("LAZULI_JAVA_OPTS", "-Xmx1g  -Da=b");
        assertThat(arguments(other, bare.installed(".bin/"), line))
            .as(line)
            .isEqualTo(arguments(other, archive, line))
            .contains("-Xmx1g", "-Da=b");
      }
    }
  }

  @Test
  void nothingRunsAtInstallationAndNothingIsALink() throws Exception {
    List<String> archives = new ArrayList<>(List.of(MAIN, JAVA));
    if (Files.exists(NpmApp.archive(MAIN + "-linux-arm64"))) {
      archives.add(MAIN + "-linux-arm64");
    }
    for (String archive : archives) {
      String path = NpmApp.archive(archive).toString();
      Map<String, String> tools = Map.of("PATH", "/usr/bin:/bin");
      assertThat(Dist.run(tools, "tar", "tvzf", path).lines())
          .allMatch(line -> line.matches("(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) root/root .*"));
      String text = Dist.run(tools, "tar", "xzOf", path, "package/package.json");
      try (JsonReader reader = JsonProviders.createReader(text)) {
        Map<String, Object> described = reader.readMap(JsonReader::readUntyped);
        assertThat(described)
            .containsEntry("version", Dist.VERSION)
            .doesNotContainKeys("scripts", "dependencies");
        assertThat(complete.run("npm", "pack", "--dry-run", "--json", path).said())
            .contains("\"id\": \"" + described.get("name") + "@" + Dist.VERSION + "\"");
      }
    }
  }

  private static RunningAzurite start(NpmApp app, String data) throws Exception {
    return RunningAzurite.start(app, app.installed(".bin/azurite").toString(), "-s", "-l", data);
  }

  private void fakeJava(String version) throws Exception {
    NpmApp.program(
        folder,
        "java",
        "case $1 in -version) echo 'openjdk version \""
            + version
            + "\"' >&2 ;;"
            + " *) umask; printf '%s\\n' \"$@\" ;; esac");
  }

  /** Returns what a command of a folder calls Java with, without what names the folder. */
  private static List<String> arguments(NpmApp app, Path commands, String line) throws Exception {
    String[] words = line.split(" ", -1);
    words[0] = commands.resolve(words[0]).toString();
    Outcome outcome = app.run(words);
    assertThat(outcome.code()).as(outcome.said()).isZero();
    return outcome
        .said()
        .lines()
        .filter(one -> !one.startsWith("-Dlazuli.parent="))
        .map(one -> one.replaceFirst("/.*/lib/", "lib/"))
        .toList();
  }
}
