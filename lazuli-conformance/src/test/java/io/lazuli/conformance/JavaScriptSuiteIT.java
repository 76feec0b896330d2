package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code src/javascript}, the suite with the official JavaScript SDKs, against the packed
 * server. Needs Node and npm on the path, and the npm registry once. Without them the suite does
 * not run, and the log says so.
 */
class JavaScriptSuiteIT {

  private static final int NODE_MAJOR_MIN = 20;
  private static final int MINUTES_MAX = 5;
  private static final Path SOURCES = Path.of("src", "javascript");

  /** The suites that need a server with a development identity. */
  private static final List<String> WITH_TOKENS = List.of("delegation.test.js", "identity.test.js");

  private static final Path FOLDER = Path.of("target", "javascript");
  private static final Pattern UNREACHABLE =
      Pattern.compile(
          "ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED");
  private static final Pattern FAILED_CASE = Pattern.compile(" *not ok \\d+ - (.*)");
  private static final Pattern PASSED_COUNT = Pattern.compile("# pass (\\d+)");

  /** The output and the exit code of a program. */
  private record Ended(int code, List<String> lines) {

    String text() {
      return String.join("\n", lines);
    }

    /** Returns the first group of the pattern for each line that matches as a whole. */
    List<String> find(Pattern pattern) {
      return lines.stream()
          .map(pattern::matcher)
          .filter(Matcher::matches)
          .map(found -> found.group(1))
          .toList();
    }
  }

  @Test
  void everyCaseOfTheJavaScriptSuitePasses() throws IOException {
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      System.out.println("[INFO] JavaScript suite: DID NOT RUN: " + obstacle.get());
      return;
    }
    try (ServerProcess server = ServerProcess.startEmpty(AccountUnderTest.serverJar())) {
      passes("JavaScript suite", server, suites(), Map.of());
    }
  }

  /**
   * Runs the suites with the certificate of {@code lazuli dev-cert}, which is trusted as the
   * command explains.
   */
  @Test
  void theSuitesPassOverHttps(@TempDir Path folder) throws IOException {
    if (obstacle().isPresent()) {
      System.out.println("[INFO] JavaScript suite over https: DID NOT RUN");
      return;
    }
    DevCert certificate = DevCert.make(folder);
    try (ServerProcess server = certificate.startServer(folder)) {
      Map<String, String> trust =
          Map.of("NODE_EXTRA_CA_CERTS", certificate.authority().toAbsolutePath().toString());
      passes("JavaScript suite over https", server, suites(), trust);
    }
  }

  /**
   * The credentials of {@code @azure/identity}, with the variables that the server wrote, and
   * signatures of callers with tokens.
   */
  @Test
  void theCredentialsGetTokens(@TempDir Path folder) throws IOException {
    if (obstacle().isPresent()) {
      System.out.println("[INFO] JavaScript suite with tokens: DID NOT RUN");
      return;
    }
    try (ServerProcess server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(),
            folder,
            "--dev-identity",
            "--dev-identity-port",
            "0",
            "--blob-versioning",
            "--dev-identities",
            "reader=storage-blob-data-reader")) {
      Map<String, String> variables = DevelopmentIdentityIT.variables(folder.resolve("data"));
      passes("JavaScript suite with tokens", server, WITH_TOKENS, variables);
    }
  }

  private static void passes(
      String what, ServerProcess server, List<String> suites, Map<String, String> more) {
    Ended run = runSuites(server, suites, more);
    assertThat(run.find(FAILED_CASE)).as("%s", run.text()).isEmpty();
    assertThat(run.code()).as("%s", run.text()).isZero();
    List<String> passed = run.find(PASSED_COUNT);
    assertThat(passed).singleElement().isNotEqualTo("0");
    System.out.println("[INFO] " + what + ": " + passed.get(0) + " cases passed");
  }

  private static Ended runSuites(
      ServerProcess server, List<String> suites, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("LAZULI_TABLE_ENDPOINT", server.account(StorageService.TABLE).base());
    environment.put("LAZULI_QUEUE_ENDPOINT", server.account(StorageService.QUEUE).base());
    environment.put("LAZULI_BLOB_ENDPOINT", server.account(StorageService.BLOB).base());
    List<String> command = new ArrayList<>(List.of("node", "--test", "--test-reporter=tap"));
    command.addAll(suites);
    return run(FOLDER, environment, command);
  }

  /** Returns why the suite cannot run on this machine. All other problems are failures. */
  private static Optional<String> obstacle() throws IOException {
    Optional<Ended> node = find("node");
    Optional<Ended> npm = find(npm());
    if (node.isEmpty() || npm.isEmpty()) {
      return Optional.of((node.isEmpty() ? "node" : "npm") + " is not on the path");
    }
    String version = node.get().text().strip();
    if (Integer.parseInt(version.replaceFirst("v(\\d+)\\..*", "$1")) < NODE_MAJOR_MIN) {
      return Optional.of("Node " + version + " is older than " + NODE_MAJOR_MIN);
    }
    return install();
  }

  /**
   * Installs the packages of the lock file below {@code target}, unless they are installed already.
   */
  private static Optional<String> install() throws IOException {
    boolean installed = isInstalled();
    Files.createDirectories(FOLDER);
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = FOLDER.resolve(file.getFileName());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (installed) {
      return Optional.empty();
    }
    List<String> command =
        List.of(npm(), "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
    Ended install = run(FOLDER, Map.of(), command);
    if (install.code() != 0 && UNREACHABLE.matcher(install.text()).find()) {
      return Optional.of("npm cannot reach its registry, and the packages are not in its cache");
    }
    assertThat(install.code()).as("npm ci printed: %s", install.text()).isZero();
    return Optional.empty();
  }

  private static boolean isInstalled() throws IOException {
    Path done = FOLDER.resolve("node_modules/.package-lock.json");
    Path lock = FOLDER.resolve("package-lock.json");
    return Files.exists(done)
        && Files.exists(lock)
        && Files.mismatch(lock, SOURCES.resolve("package-lock.json")) == -1;
  }

  private static List<String> suites() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".test.js") && !WITH_TOKENS.contains(name))
          .sorted()
          .toList();
    }
  }

  private static String npm() {
    boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    return windows ? "npm.cmd" : "npm";
  }

  private static Optional<Ended> find(String program) {
    try {
      return Optional.of(run(Path.of("."), Map.of(), List.of(program, "--version")))
          .filter(ended -> ended.code() == 0);
    } catch (UncheckedIOException e) {
      return Optional.empty();
    }
  }

  private static Ended run(Path folder, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    // A separate standard error would need another thread to read it.
    builder.redirectErrorStream(true);
    try {
      Process process = builder.start();
      process.onExit().orTimeout(MINUTES_MAX, TimeUnit.MINUTES).exceptionally(late -> end(process));
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        List<String> lines = output.lines().toList();
        return new Ended(process.onExit().join().exitValue(), lines);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    return process.destroyForcibly();
  }
}
