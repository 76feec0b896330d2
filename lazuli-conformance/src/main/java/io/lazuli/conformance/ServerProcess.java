package io.lazuli.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The packed server as a child process on free ports. It is killed when this JVM ends, unless this
 * JVM itself is killed. It may be closed twice. The server's data and temporary files are in one
 * folder, because a killed process cannot clean up.
 */
public final class ServerProcess implements AutoCloseable {

  /**
   * The system property with further options of the JVM for all servers. With {@link
   * #SERVE_OPTIONS}, it lets the cases run on another engine. {@value #STORE} in an option stands
   * for a name that belongs to the folder of the server.
   */
  public static final String JVM_OPTIONS = "conformance.jvm.options";

  /** The system property with further options of {@code serve} for all servers. */
  public static final String SERVE_OPTIONS = "conformance.serve.options";

  private static final String STORE = "{store}";

  /** A server that creates its tables on a busy cluster needs more than a minute. */
  private static final int START_SECONDS_MAX = 120;

  private static final int KILL_SECONDS_MAX = 20;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  private static final Set<Path> TEMPORARY = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ServerProcess::reap, "reaper"));
  }

  private final Process process;
  private final Addresses addresses;

  private ServerProcess(Process process, Addresses addresses) {
    this.process = process;
    this.addresses = addresses;
  }

  /** Starts the server with an empty folder that is removed when this JVM ends. */
  public static ServerProcess startEmpty(Path jar) {
    return start(jar, temporaryFolder());
  }

  /** Creates a folder for a server. It is removed when this JVM ends, after the server. */
  public static Path temporaryFolder() {
    try {
      Path folder = Files.createTempDirectory("lazuli-conformance");
      TEMPORARY.add(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the server in a folder and waits until it prints the addresses of its services. */
  public static ServerProcess start(Path jar, Path folder, String... jvmOptions) {
    return start(jar, folder, List.of(jvmOptions), List.of());
  }

  /**
   * Starts the server like {@link #start(Path, Path, String...)}, with options for {@code serve}.
   */
  public static ServerProcess startWith(Path jar, Path folder, String... serveOptions) {
    return start(jar, folder, List.of(), List.of(serveOptions));
  }

  /**
   * Starts the server with options for the JVM and for {@code serve}. Most servers end before the
   * optimizing compiler would pay off, so it is off unless an option enables it.
   */
  public static ServerProcess start(
      Path jar, Path folder, List<String> jvmOptions, List<String> serveOptions) {
    if (!Files.isReadable(jar)) {
      throw new IllegalStateException("there is no packed server at " + jar + ": run mvn verify");
    }
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path temporary = folder.resolve("tmp");
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx512m"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary));
    command.addAll(words(JVM_OPTIONS, folder));
    command.addAll(jvmOptions);
    command.addAll(List.of("-jar", jar.toString(), "serve"));
    command.addAll(List.of("--data", folder.resolve("data").toString()));
    command.addAll(
        List.of("--blob-port", "0", "--queue-port", "0", "--table-port", "0", "--admin-port", "0"));
    command.addAll(words(SERVE_OPTIONS, folder));
    command.addAll(serveOptions);
    try {
      Files.createDirectories(temporary);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      RUNNING.add(process);
      return new ServerProcess(process, awaitAddresses(process));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> words(String property, Path folder) {
    String store = "s" + Integer.toHexString(folder.hashCode());
    String options = System.getProperty(property, "").strip().replace(STORE, store);
    return options.isEmpty() ? List.of() : List.of(options.split(" +"));
  }

  public Set<StorageService> services() {
    return addresses.services().keySet();
  }

  /** Returns the address of {@code /health} and {@code /ready}, without a path. */
  public URI admin() {
    return addresses.admin();
  }

  /** Returns the development account, which every new server has. */
  public Account account(StorageService service) {
    URI endpoint = addresses.services().get(service);
    if (endpoint == null) {
      throw new IllegalStateException("this server has no " + service.word() + " service");
    }
    return Account.development(service, endpoint);
  }

  /** Returns the resident memory of the process; empty if the system has no {@code /proc}. */
  public OptionalLong residentBytes() {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns the number of files and connections that the process has open; empty as above. */
  public OptionalLong openDescriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
      return OptionalLong.of(open.count());
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Asks the process to end, as a supervisor does: SIGTERM. Returns its exit code once it ends. */
  public CompletableFuture<Integer> terminate() {
    process.destroy();
    return process.onExit().thenApply(Process::exitValue);
  }

  /** Kills the process like {@code kill -9} and waits until it has ended. */
  public void kill() {
    process.destroyForcibly();
    RUNNING.remove(process);
    try {
      if (!process.waitFor(KILL_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server did not die: " + process.pid());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the server was dying", e);
    }
  }

  @Override
  public void close() {
    kill();
  }

  private static void reap() {
    RUNNING.forEach(Process::destroyForcibly);
    for (Process process : RUNNING) {
      process.onExit().join();
    }
    TEMPORARY.forEach(ServerProcess::delete);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Addresses awaitAddresses(Process process) {
    CompletableFuture<Addresses> found = new CompletableFuture<>();
    Thread reader = new Thread(() -> readOutput(process, found), "server-output");
    reader.setDaemon(true);
    reader.start();
    try {
      return found.get(START_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the server was starting", e);
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
      throw new IllegalStateException("the server did not start", e);
    }
  }

  /**
   * Reads the lines that name the service endpoints, up to the line with the admin address, which
   * is the last. Keeps reading afterwards, because a full pipe would block the server.
   */
  private static void readOutput(Process process, CompletableFuture<Addresses> found) {
    Map<StorageService, URI> endpoints = new EnumMap<>(StorageService.class);
    StringBuilder seen = new StringBuilder();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("admin ")) {
          URI admin = URI.create(line.substring("admin ".length()).strip());
          found.complete(new Addresses(Map.copyOf(endpoints), admin));
        } else if (!found.isDone()) {
          seen.append(line).append('\n');
          addEndpoint(line, endpoints);
        }
      }
    } catch (IOException e) {
      found.completeExceptionally(e);
    }
    found.completeExceptionally(new IllegalStateException("the server ended and printed: " + seen));
  }

  private static void addEndpoint(String line, Map<StorageService, URI> endpoints) {
    for (StorageService service : StorageService.values()) {
      if (line.startsWith(service.word() + " ")) {
        endpoints.put(service, URI.create(line.substring(service.word().length()).strip()));
      }
    }
  }

  /** The addresses that a server prints when it has started. */
  private record Addresses(Map<StorageService, URI> services, URI admin) {}
}
