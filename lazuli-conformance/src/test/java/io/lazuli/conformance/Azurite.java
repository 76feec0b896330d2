package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The real Azurite as a child process. It comes from the npm folder that the environment variable
 * {@code AZURITE_HOME} names, or is installed once below {@code target}.
 */
final class Azurite implements AutoCloseable {

  private static final String VERSION = "3.37.0";
  private static final int INSTALL_MINUTES_MAX = 10;

  private final Process process;
  private final Map<StorageService, Integer> ports;

  private Azurite(Process process, Map<StorageService, Integer> ports) {
    this.process = process;
    this.ports = ports;
  }

  static Azurite start(Path folder) throws IOException, InterruptedException {
    Map<StorageService, Integer> ports =
        Map.of(
            StorageService.BLOB, freePort(),
            StorageService.QUEUE, freePort(),
            StorageService.TABLE, freePort());
    List<String> command = new ArrayList<>(List.of("node", script().toString()));
    command.addAll(List.of("--location", folder.toString(), "--silent", "--skipApiVersionCheck"));
    command.add("--disableTelemetry");
    ports.forEach(
        (service, port) ->
            command.addAll(List.of("--" + service.word() + "Port", String.valueOf(port))));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Azurite azurite = new Azurite(process, ports);
    await().atMost(Duration.ofMinutes(1)).until(azurite::isListening);
    return azurite;
  }

  private static Path script() throws IOException, InterruptedException {
    String home = System.getenv("AZURITE_HOME");
    Path folder = home == null ? Path.of("target", "azurite") : Path.of(home);
    Path script = folder.resolve("node_modules/azurite/dist/src/azurite.js").toAbsolutePath();
    if (home == null && !Files.exists(script)) {
      install(folder);
    }
    assertThat(script).exists();
    return script;
  }

  private static void install(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Process npm =
        new ProcessBuilder(
                "npm",
                "install",
                "--prefix",
                folder.toString(),
                "--no-audit",
                "--no-fund",
                "azurite@" + VERSION)
            .redirectErrorStream(true)
            .start();
    String said = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(npm.waitFor(INSTALL_MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
    assertThat(npm.exitValue()).as("%s", said).isZero();
  }

  Account account(StorageService service) {
    int port = ports.get(service);
    return Account.development(
        service, URI.create("http://127.0.0.1:" + port + "/" + Account.DEVELOPMENT_NAME));
  }

  private boolean isListening() {
    return ports.values().stream().allMatch(Azurite::accepts);
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Stops Azurite with SIGINT, because only this signal makes all its services save their data. */
  void stop() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
