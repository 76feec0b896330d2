package io.lazuli.examples.tour;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The packed server as a child process on free ports, with durable data in a given folder. */
final class ServerProcess implements AutoCloseable {
  private static final int START_SECONDS_MAX = 120;

  /** The first JDK that warns about RocksDB's native code and Netty's buffers. */
  private static final int WARNING_JDK = 24;

  private final Process process;
  private final CompletableFuture<String> connectionString = new CompletableFuture<>();

  private ServerProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts the server; {@link #connectionString} waits until it listens.
   *
   * @param folder for its data and its temporary files, because a killed process does not clean up
   */
  static ServerProcess start(Path jar, Path folder) {
    try {
      Path temporary = Files.createDirectories(folder.resolve("tmp"));
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + temporary));
      if (Runtime.version().feature() >= WARNING_JDK) {
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
      }
      command.addAll(List.of("-jar", jar.toString(), "serve", "--log-level", "error"));
      command.addAll(List.of("--data", folder.resolve("data").toString()));
      for (String port : List.of("--blob-port", "--queue-port", "--table-port", "--admin-port")) {
        command.addAll(List.of(port, "0"));
      }
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      ServerProcess server = new ServerProcess(process);
      Thread reader = new Thread(server::readOutput, "server-output");
      reader.setDaemon(true);
      reader.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps reading after the expected line: a full pipe would stop the server. */
  private void readOutput() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("DefaultEndpointsProtocol=")) {
          connectionString.complete(line);
        }
      }
    } catch (IOException e) {
      connectionString.completeExceptionally(e);
    }
    connectionString.completeExceptionally(new IllegalStateException("the server process ended"));
  }

  String connectionString() {
    try {
      return connectionString.get(START_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the server was starting", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the server did not start", e);
    }
  }

  /**
   * Kills the process like {@code kill -9} and waits until it has ended. Does nothing if it has
   * already ended.
   */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
