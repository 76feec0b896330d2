package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that has its process for itself ends that process when nothing else helps. */
class StandaloneIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final Path JAR =
      Path.of(System.getProperty("lazuli.jar", Path.of("target", "lazuli.jar").toString()));
  private static final Pattern ADMIN = Pattern.compile("(?:admin  |health at )(http://[^/\\s]+)");
  private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
  private static final String GET_READYZ = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String GET_HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /**
   * Prints the states of a service. systemd-notify adds a message with a descriptor, and ends when
   * that is closed.
   */
  private static final String RECEIVER =
      """
      import socket, sys
      receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      receiver.bind(sys.argv[1])
      while True:
          state = receiver.recv(4096).decode()
          if state != "BARRIER=1":
              print(state, flush=True)
      """;

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  /** Before, the server hung for good and ignored SIGTERM: no thread can be started then. */
  @Test
  void aFullHeapEndsTheProcessEvenIfTheErrorIsSwallowed() throws Exception {
    Process process = start(List.of("-Xmx48m"), serve("--engine=fixture", "--data", "hoarding"));
    try (RawConnection admin = new RawConnection(adminPort(process))) {
      admin.send(GET_HEALTH);
      assertEnds(process, LastResort.OUT_OF_MEMORY, "lazuli: out of memory");
    }
  }

  /** Before, every connection was closed without an answer, and /health did not answer either. */
  @Test
  void theEndOfDirectMemoryEndsTheProcess() throws Exception {
    List<String> azurite =
        List.of(
            "azurite", "--inMemoryPersistence", "--blobPort=0", "--queuePort=0", "--tablePort=0");
    List<String> command = command(List.of("-XX:MaxDirectMemorySize=100k"), azurite);
    Process process = start(List.of(), command, "LAZULI_ADMIN_PORT=0");
    try (RawConnection admin = new RawConnection(adminPort(process))) {
      admin.send(GET_HEALTH);
      assertEnds(process, LastResort.OUT_OF_MEMORY, "lazuli: out of memory");
    }
  }

  @Test
  void aStoreThatHangsDoesNotKeepTheProcess() throws Exception {
    Process process =
        start(List.of(), serve("--engine=fixture", "--data", "stuck", "--stop-seconds=1"));
    assertThat(adminPort(process)).isPositive();
    process.toHandle().destroy();
    assertEnds(process, LastResort.NOT_STOPPED, "lazuli: the server did not stop in time");
  }

  /** As docs/operations.md describes it: not ready, running requests are answered, 143. */
  @Test
  void aServerThatGetsSigtermFinishesItsRequests() throws Exception {
    Process process = start(List.of(), serve("--engine=memory"));
    int adminPort = adminPort(process);
    try (RawConnection admin = new RawConnection(adminPort);
        RawConnection client = new RawConnection(port("table  "))) {
      String entity = "{\"PartitionKey\":\"a\",\"RowKey\":\"b\"}";
      String token = WireServer.tableToken("Missing", "sp", "a");
      client.send(
          String.join(
              "\r\n",
              "POST /devstoreaccount1/Missing?" + token + " HTTP/1.1",
              "Host: localhost",
              "Content-Type: application/json",
              "Content-Length: " + entity.length(),
              "Expect: 100-continue",
              "",
              ""));
      assertThat(client.answerWithoutBody().status()).isEqualTo(100);
      process.toHandle().destroy();
      await().until(() -> admin.ask(GET_READYZ).status() == 503);
      assertThat(process.isAlive()).isTrue();
      client.send(entity);
      RawConnection.Answer answer = client.answer();
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.header("Connection")).isEqualTo("close");
      assertEnds(process, 128 + 15, "");
    }
  }

  /** As on Windows, where it cannot be replaced while another process uses it. */
  @Test
  void nativeCodeThatCannotBeReplacedIsLoadedFromTheTemporaryFolder() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "another system has other files");
    for (String system : List.of("linux64", "linux-aarch64", "linux64-musl")) {
      Path file = folder.resolve("data/native/librocksdbjni-" + system + ".so");
      Files.createDirectories(file.resolve("not-empty"));
    }
    Files.writeString(folder.resolve("data/FORMAT"), "lazuli data format 2\n");
    Process process = start(List.of(), serve("--data", "data"));
    assertThat(adminPort(process)).isPositive();
  }

  /** A Node.js that is killed cannot pass that on to the server that it started. */
  @Test
  void aServerEndsInOrderWithItsParent() throws Exception {
    Process parent = start(List.of(), List.of("sleep", "600"), "");
    List<String> azurite = List.of("azurite", "--blobPort=0", "--queuePort=0", "--tablePort=0");
    List<String> command = command(List.of("-Dlazuli.parent=" + parent.pid()), azurite);
    Process process = start(List.of(), command, "LAZULI_ADMIN_PORT=0");
    assertThat(adminPort(process)).isPositive();
    parent.destroyForcibly();
    assertEnds(process, 0, "");
    assertThat(Files.readString(folder.resolve("out")))
        .endsWith("Azurite Table service successfully closed\n");
  }

  @Test
  void aSecondServerOnTheFolderDoesNotStart() throws Exception {
    Process first = start(List.of(), serve("--data", "data"));
    assertThat(adminPort(first)).isPositive();
    Process second = start(List.of(), serve("--data", "data"));
    assertEnds(second, 1, "is in use by another running server");
    assertThat(first.isAlive()).isTrue();
    first.destroyForcibly().waitFor();
    Process third = start(List.of(), serve("--data", "data"));
    assertThat(adminPort(third)).isPositive();
  }

  /**
   * Before, /health said ok while nothing could be opened. The server runs from its jar, which the
   * JVM keeps open: a class in a folder needs a descriptor when it is first used.
   */
  @Test
  void missingDescriptorsAreReportedUntilTheyAreBack() throws Exception {
    assumeTrue(Files.isExecutable(PRLIMIT), "the system has no prlimit");
    List<String> java = List.of(JAVA.toString(), "-jar", JAR.toAbsolutePath().toString());
    Process process = start(java, serve("--engine=memory"), "");
    try (RawConnection admin = new RawConnection(adminPort(process))) {
      assertThat(admin.ask(GET_HEALTH).body()).startsWith("{\"status\":\"ok\"");
      limitDescriptors(process, "20");
      assertThat(admin.ask(GET_HEALTH).body())
          .startsWith("{\"status\":\"degraded\"")
          .contains(" of 20 file descriptors are in use");
      limitDescriptors(process, "1000");
      assertThat(admin.ask(GET_HEALTH).body()).startsWith("{\"status\":\"ok\"");
    }
  }

  private static void limitDescriptors(Process process, String limit) throws Exception {
    List<String> command =
        List.of(PRLIMIT.toString(), "--pid", "" + process.pid(), "--nofile=" + limit + ":");
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  /** The receiver is what systemd is for a unit with Type=notify: a socket that reads datagrams. */
  @Test
  void systemdLearnsWhenTheServerIsReadyAndWhenItStops() throws Exception {
    for (String tool : List.of("systemd-notify", "python3")) {
      boolean found =
          new ProcessBuilder("sh", "-c", "command -v " + tool)
                  .redirectOutput(Redirect.DISCARD)
                  .start()
                  .waitFor()
              == 0;
      if (!found) {
        System.err.println("NOTIFICATIONS OF SYSTEMD WERE NOT TESTED: there is no " + tool);
      }
      assumeTrue(found, "there is no " + tool);
    }
    Path socket = folder.resolve("notify");
    Path states = folder.resolve("states");
    processes.add(
        new ProcessBuilder("python3", "-c", RECEIVER, socket.toString())
            .redirectError(Redirect.INHERIT)
            .redirectOutput(states.toFile())
            .start());
    await().until(() -> Files.exists(socket));
    Process process =
        start(List.of(), command(List.of(), serve("--engine=memory")), "NOTIFY_SOCKET=" + socket);
    try (RawConnection admin = new RawConnection(adminPort(process))) {
      await().untilAsserted(() -> assertThat(states).hasContent("READY=1"));
      assertThat(admin.ask(GET_READYZ).status()).isEqualTo(200);
    }
    process.toHandle().destroy();
    assertEnds(process, 128 + 15, "");
    await().untilAsserted(() -> assertThat(states).hasContent("READY=1\nSTOPPING=1"));
  }

  @Test
  void aServerWithoutSystemdsCommandSaysSoAndServes() throws Exception {
    Process process =
        start(
            List.of("env", "PATH=/nonexistent", "NOTIFY_SOCKET=" + folder.resolve("notify")),
            command(List.of(), serve("--engine=memory")),
            "");
    assertThat(adminPort(process)).isPositive();
    process.toHandle().destroy();
    assertEnds(process, 128 + 15, "lazuli: systemd was not notified of READY=1");
  }

  @Test
  void theScriptStartsAServerWhoseFilesAreForItsOwnerOnly() throws Exception {
    Path script = Files.copy(Path.of("..", "lazuli"), folder.resolve("lazuli"));
    Path target = Files.createDirectories(folder.resolve("lazuli-server/target"));
    Files.createSymbolicLink(target.resolve("lazuli.jar"), JAR.toAbsolutePath());
    Process process =
        start(List.of("sh"), concat(List.of(script.toString()), serve("--data", "data")), "");
    assertThat(adminPort(process)).isPositive();
    process.toHandle().destroy();
    assertEnds(process, 128 + 15, "");
    assertThat(rights("data")).isEqualTo("rwx------");
    assertThat(rights("data/FORMAT")).isEqualTo("rw-------");
    assertThat(rights("data/rocksdb/CURRENT")).isEqualTo("rw-------");
  }

  private String rights(String path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
  }

  private void assertEnds(Process process, int code, String message) throws Exception {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("err"))).contains(message);
    assertThat(process.exitValue()).isEqualTo(code);
  }

  private static List<String> serve(String... options) {
    return concat(
        List.of("serve", "--blob-port=0", "--queue-port=0", "--table-port=0", "--admin-port=0"),
        List.of(options));
  }

  private static List<String> command(List<String> jvm, List<String> args) {
    List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-XX:+UseSerialGC"));
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(args);
    return command;
  }

  private static List<String> concat(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private Process start(List<String> jvm, List<String> args) throws IOException {
    return start(List.of(), command(jvm, args), "");
  }

  private Process start(List<String> prefix, List<String> command, String variable)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(concat(prefix, command))
            .directory(folder.toFile())
            .redirectError(folder.resolve("err").toFile())
            .redirectOutput(folder.resolve("out").toFile());
    if (!variable.isEmpty()) {
      builder.environment().put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
    }
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  /** Returns the port in the line of the output that begins with a label. */
  private int port(String label) throws IOException {
    return Files.readAllLines(folder.resolve("out")).stream()
        .filter(line -> line.startsWith(label))
        .mapToInt(line -> URI.create(line.substring(label.length()).strip()).getPort())
        .findFirst()
        .orElseThrow();
  }

  /** Waits until the server is ready, and returns the port of its admin address. */
  private int adminPort(Process process) {
    String[] found = new String[1];
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              String out = Files.readString(folder.resolve("out"));
              Matcher address = ADMIN.matcher(out);
              boolean ready = out.contains("ready; ") || out.contains("health at ");
              found[0] = ready && address.find() ? address.group(1) : null;
              return found[0] != null || !process.isAlive();
            });
    assertThat(found[0]).isNotNull();
    return URI.create(found[0]).getPort();
  }
}
