package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The packed server as a process on free ports. Closing it kills the process. */
public record PackedServer(
    Process process, int tablePort, int queuePort, int blobPort, int adminPort)
    implements AutoCloseable {
  /** The jar of the last build. */
  public static final Path JAR =
      Path.of(System.getProperty("lazuli.jar", Path.of("target", "lazuli.jar").toString()));

  private static final int KILL_SECONDS_MAX = 20;

  /**
   * Starts the server with the compiler that makes it start fastest.
   *
   * @param options more options of {@code lazuli serve}
   */
  public static PackedServer start(Path jar, Path folder, String... options) throws IOException {
    return start(
        jar,
        folder,
        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
        List.of(options));
  }

  /**
   * Starts the server with the compilers that it has by default. It then needs a tenth of a minute
   * until it is fast.
   */
  public static PackedServer startForLong(Path jar, Path folder) throws IOException {
    return start(jar, folder, List.of("-Xmx256m", "-XX:+UseSerialGC"), List.of());
  }

  /** Starts the server with the heap that {@code lazuli serve} gives it, as operators do. */
  public static PackedServer startAsInstalled(Path jar, Path folder, String... options)
      throws IOException {
    return start(jar, folder, List.of("-Xms384m", "-Xmx512m"), List.of(options));
  }

  private static PackedServer start(
      Path jar, Path folder, List<String> machine, List<String> options) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(machine);
    command.addAll(
        List.of(
            "-Djava.io.tmpdir=" + temporary,
            "-jar",
            jar.toString(),
            "serve",
            "--data",
            folder.resolve("data").toString(),
            "--blob-port=0",
            "--queue-port=0",
            "--table-port=0",
            "--admin-port=0"));
    command.addAll(options);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Map<String, Integer> ports = awaitPorts(process);
    return new PackedServer(
        process, ports.get("table"), ports.get("queue"), ports.get("blob"), ports.get("admin"));
  }

  /** Reads the output up to its last line, which has the port for administration. */
  private static Map<String, Integer> awaitPorts(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    Map<String, Integer> ports = new HashMap<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.strip().split(" +", -1);
      if (words.length == 2 && words[1].startsWith("http")) {
        ports.put(words[0], URI.create(words[1]).getPort());
      }
      if (ports.containsKey("admin")) {
        return ports;
      }
    }
    throw new IOException("the server did not start");
  }

  /** Kills the process. */
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(KILL_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
  }
}
