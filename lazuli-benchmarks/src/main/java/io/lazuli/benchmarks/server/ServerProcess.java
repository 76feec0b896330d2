package io.lazuli.benchmarks.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server under load: a child process that prints its address to its standard output. Closing this
 * object ends the process; so does the end of the driver.
 */
public final class ServerProcess implements AutoCloseable {
  private static final long START_SECONDS_MAX = 60;
  private static final long STOP_SECONDS_MAX = 20;
  private static final int OUTPUT_LINES_KEPT = 20;

  private final String name;
  private final Process process;
  private final long startedNanos;
  private final Thread killer;
  private final CompletableFuture<URI> listening = new CompletableFuture<>();
  private final Deque<String> lastLines = new ArrayDeque<>();

  private ServerProcess(String name, Process process, long startedNanos) {
    this.name = name;
    this.process = process;
    this.startedNanos = startedNanos;
    this.killer = new Thread(process::destroyForcibly, "kill-" + name);
  }

  /**
   * Starts a process and waits until it has printed its address.
   *
   * @param endpointIn returns the endpoint if a line of output contains it
   */
  public static ServerProcess start(
      String name, List<String> command, Function<String, Optional<URI>> endpointIn)
      throws IOException {
    long startedNanos = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    ServerProcess server = new ServerProcess(name, process, startedNanos);
    Runtime.getRuntime().addShutdownHook(server.killer);
    Thread reader = new Thread(() -> server.readOutput(endpointIn), "output-of-" + name);
    reader.setDaemon(true);
    reader.start();
    server.awaitEndpoint();
    return server;
  }

  public String name() {
    return name;
  }

  /** Returns the endpoint that the server printed. */
  public URI endpoint() {
    return listening.join();
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(endpoint().getHost(), endpoint().getPort());
  }

  /** Returns the time since the process was started. */
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  /** Returns the user and system time of all threads so far; on Linux in steps of 10 ms. */
  public long cpuNanos() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  /** Returns the resident memory now; empty if the system has no {@code /proc}. */
  public OptionalLong residentBytes() throws IOException {
    return status("VmRSS");
  }

  /** Returns the peak of the resident memory. */
  public OptionalLong residentBytesPeak() throws IOException {
    return status("VmHWM");
  }

  /** Ends the process, by force if it does not end by itself. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private OptionalLong status(String field) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.exists(status)) {
      return OptionalLong.empty();
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(field + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    }
  }

  /** Runs on the reading thread. Reads all output, because a full pipe would block the server. */
  private void readOutput(Function<String, Optional<URI>> endpointIn) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line);
        endpointIn.apply(line).ifPresent(listening::complete);
      }
    } catch (IOException e) {
      keep(e.toString());
    }
    listening.completeExceptionally(new IOException("the process ended"));
  }

  private void keep(String line) {
    synchronized (lastLines) {
      lastLines.add(line);
      if (lastLines.size() > OUTPUT_LINES_KEPT) {
        lastLines.remove();
      }
    }
  }

  private void awaitEndpoint() throws IOException {
    try {
      listening.get(START_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      close();
      throw new IOException(name + " did not start (" + e.getMessage() + "):\n" + output(), e);
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }

  private String output() {
    synchronized (lastLines) {
      return lastLines.stream().collect(Collectors.joining("\n"));
    }
  }
}
