package io.lazuli.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/**
 * The real Azurite as a child process, one for all tests of this JVM. It comes from the npm folder
 * that the environment variable {@code AZURITE_HOME} names, or is installed once below {@code
 * target}. Without Node, npm or the npm registry, the tests that need it are skipped.
 */
final class Azurite {
  private static final String VERSION = "3.37.0";
  private static final int INSTALL_MINUTES_MAX = 10;
  private static final String ACCOUNT = "devstoreaccount1";

  /** The key of the development account, which is public. */
  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private final Map<String, Integer> ports;

  private Azurite(Map<String, Integer> ports) {
    this.ports = ports;
  }

  /** Starts Azurite before its first use. It is stopped when this JVM ends. */
  private static final class Holder {
    static final Azurite ONE = start();
  }

  /** Returns the process. Skips the calling test if there is none. */
  static Azurite running() {
    Path script = script();
    Assumptions.assumeTrue(
        Files.exists(script),
        "skipped: Azurite is not installed; set AZURITE_HOME to a folder in which you have run"
            + " npm install azurite");
    return Holder.ONE;
  }

  private static Azurite start() {
    Map<String, Integer> ports = new TreeMap<>();
    List.of("blob", "queue", "table").forEach(service -> ports.put(service, freePort()));
    List<String> command = new ArrayList<>(List.of("node", script().toString()));
    command.addAll(List.of("--inMemoryPersistence", "--silent", "--skipApiVersionCheck"));
    command.add("--disableTelemetry");
    ports.forEach(
        (service, port) -> command.addAll(List.of("--" + service + "Port", String.valueOf(port))));
    Process process = started(command);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "stop-azurite"));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> ports.values().stream().allMatch(Azurite::accepts));
    return new Azurite(ports);
  }

  /** Returns the program. Installs it if no other folder is named. */
  private static Path script() {
    String home = System.getenv("AZURITE_HOME");
    Path folder = home == null ? Path.of("target", "azurite") : Path.of(home);
    Path script = folder.resolve("node_modules/azurite/dist/src/azurite.js").toAbsolutePath();
    if (home == null && !Files.exists(script)) {
      install(folder);
    }
    return script;
  }

  private static void install(Path folder) {
    try {
      Files.createDirectories(folder);
      Process npm =
          started(
              List.of(
                  "npm",
                  "install",
                  "--prefix",
                  folder.toString(),
                  "--no-audit",
                  "--no-fund",
                  "azurite@" + VERSION));
      npm.waitFor(INSTALL_MINUTES_MAX, TimeUnit.MINUTES);
    } catch (IOException | UncheckedIOException e) {
      Assumptions.abort("skipped: npm, which installs Azurite, cannot be started: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Process started(List<String> command) {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String connectionString() {
    String endpoints =
        ports.entrySet().stream()
            .map(
                service ->
                    "%s%sEndpoint=http://127.0.0.1:%d/%s;"
                        .formatted(
                            service.getKey().substring(0, 1).toUpperCase(java.util.Locale.ROOT),
                            service.getKey().substring(1),
                            service.getValue(),
                            ACCOUNT))
            .collect(Collectors.joining());
    return "DefaultEndpointsProtocol=http;AccountName="
        + ACCOUNT
        + ";AccountKey="
        + KEY
        + ";"
        + endpoints;
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
