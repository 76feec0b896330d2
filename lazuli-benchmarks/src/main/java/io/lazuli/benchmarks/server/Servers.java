package io.lazuli.benchmarks.server;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Starts the servers. */
public final class Servers {
  private static final Pattern ECHO_LISTENS = Pattern.compile("^echo\\s+(http://\\S+)");

  /**
   * The same options as in the {@code lazuli} script. The echo server has them too, so that it
   * differs in nothing else.
   */
  private static final String JAVA_OPTIONS = "-Xms384m -Xmx512m -XX:+UseSerialGC";

  private final Path jar;
  private final Optional<Path> before;

  /**
   * Creates a starter of servers.
   *
   * @param jar the packed Lazuli server
   * @param before an earlier packed server
   */
  public Servers(Path jar, Optional<Path> before) {
    this.jar = jar;
    this.before = before;
  }

  /** The measured services; each process is driven through one of them. */
  public enum Service {
    TABLE,
    QUEUE,
    BLOB;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Matches the line in which Lazuli prints the endpoint of this service. */
    private Pattern listens() {
      return Pattern.compile("^" + word() + "\\s+(http://\\S+)");
    }
  }

  /**
   * One server and two of its endpoints.
   *
   * @param tables the server, driven through its table service
   * @param blobs the endpoint of its blob service
   */
  public record TablesAndBlobs(ServerProcess tables, URI blobs) implements AutoCloseable {
    public InetSocketAddress blobAddress() {
      return new InetSocketAddress(blobs.getHost(), blobs.getPort());
    }

    @Override
    public void close() {
      tables.close();
    }
  }

  /**
   * Starts Lazuli on a folder.
   *
   * @param more options in addition to folder and ports
   */
  public ServerProcess startLazuli(Path data, String... more) throws IOException {
    return startLazuli(Service.TABLE, data, more);
  }

  /** Starts Lazuli on a folder, driven through this service. */
  public ServerProcess startLazuli(Service service, Path data, String... more) throws IOException {
    List<String> command = lazuli(data);
    command.addAll(List.of(more));
    return ServerProcess.start("lazuli", command, line -> endpoint(service.listens(), line));
  }

  /** Returns whether an earlier Lazuli was named. */
  public boolean hasBefore() {
    return before.isPresent();
  }

  /** Starts the earlier Lazuli on a folder, driven through a service; empty if none was named. */
  public Optional<ServerProcess> startBefore(Service service, Path data) throws IOException {
    return before.isEmpty()
        ? Optional.empty()
        : Optional.of(new Servers(before.get(), Optional.empty()).startLazuli(service, data));
  }

  /** Starts Lazuli on a folder, driven through its table and blob services at the same time. */
  public TablesAndBlobs startTablesAndBlobs(Path data) throws IOException {
    CompletableFuture<URI> blobs = new CompletableFuture<>();
    ServerProcess server =
        ServerProcess.start(
            "lazuli",
            lazuli(data),
            line -> {
              endpoint(Service.BLOB.listens(), line).ifPresent(blobs::complete);
              return endpoint(Service.TABLE.listens(), line).filter(tables -> blobs.isDone());
            });
    return new TablesAndBlobs(server, blobs.join());
  }

  public ServerProcess startEcho() throws IOException {
    List<String> command = java();
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), EchoServer.class.getName()));
    return ServerProcess.start("echo", command, line -> endpoint(ECHO_LISTENS, line));
  }

  /** Starts Azurite's table service on a folder; empty when it is not installed. */
  public Optional<ServerProcess> startAzurite(Path data) throws IOException {
    return startAzurite(Service.TABLE, data);
  }

  /** Starts one of Azurite's services on a folder; empty when it is not installed. */
  public Optional<ServerProcess> startAzurite(Service service, Path data) throws IOException {
    Optional<Path> program = azurite(service, System.getenv());
    if (program.isEmpty()) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of(program.get().toString()));
    command.addAll(List.of("--silent", "--skipApiVersionCheck", "--disableTelemetry"));
    command.addAll(List.of("--location", data.toString()));
    // With port 0 Azurite takes a free port but does not print it.
    int port = freePort();
    command.addAll(List.of("--" + service.word() + "Host", "127.0.0.1"));
    command.addAll(List.of("--" + service.word() + "Port", Integer.toString(port)));
    URI endpoint = URI.create("http://127.0.0.1:" + port + "/devstoreaccount1");
    return Optional.of(
        ServerProcess.start(
            "azurite",
            command,
            line -> Optional.of(endpoint).filter(e -> line.contains("successfully"))));
  }

  static Optional<Path> azurite(Service service, Map<String, String> environment) {
    Stream<Path> installed =
        Stream.ofNullable(environment.get("AZURITE_HOME"))
            .map(home -> Path.of(home, "node_modules", ".bin"));
    Stream<Path> onPath =
        Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)).map(Path::of);
    return Stream.concat(installed, onPath)
        .map(folder -> folder.resolve("azurite-" + service.word()))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Optional<URI> endpoint(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Optional.of(URI.create(matcher.group(1))) : Optional.empty();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private List<String> lazuli(Path data) {
    List<String> command = java();
    command.addAll(List.of("-jar", jar.toString(), "serve", "--data", data.toString()));
    command.addAll(
        List.of("--blob-port", "0", "--queue-port", "0", "--table-port", "0", "--admin-port", "0"));
    return command;
  }

  private static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String options = System.getenv().getOrDefault("LAZULI_JAVA_OPTS", JAVA_OPTIONS);
    command.addAll(List.of(options.trim().split(" +")));
    return command;
  }
}
