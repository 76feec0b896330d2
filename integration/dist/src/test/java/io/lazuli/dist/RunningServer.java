package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A process that runs {@code lazuli serve}. Closing it kills it. */
final class RunningServer implements AutoCloseable {
  private final Process process;
  private final List<String> lines = new ArrayList<>();

  private RunningServer(Process process) {
    this.process = process;
  }

  /** Starts the server of an unpacked archive on free ports, and waits until it serves. */
  static RunningServer start(
      Path home, Map<String, String> environment, Path data, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(home.resolve("lazuli").toString(), "serve", "--data", "" + data));
    for (String port : List.of("blob", "queue", "table", "admin")) {
      command.addAll(List.of("--" + port + "-port", "0"));
    }
    command.addAll(Arrays.asList(options));
    Process process =
        Dist.process(environment, command.toArray(String[]::new)).redirectErrorStream(true).start();
    return await(process);
  }

  /** Waits until a process that runs {@code lazuli serve} serves. */
  static RunningServer await(Process process) throws IOException {
    RunningServer server = new RunningServer(process);
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = "";
    while (!line.startsWith("console, ")) {
      line = output.readLine();
      assertThat(line).as("%s", server.lines).isNotNull();
      server.lines.add(line);
    }
    return server;
  }

  /** Returns the address that a line names: blob, queue, table, admin or console. */
  String address(String name) {
    String line = lines.stream().filter(one -> one.startsWith(name)).findFirst().orElseThrow();
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  String connectionString() {
    return lines.stream()
        .filter(line -> line.startsWith("DefaultEndpointsProtocol="))
        .findFirst()
        .orElseThrow();
  }

  /** Kills the process as {@code kill -9} does. The start script has replaced itself by Java. */
  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }
}
