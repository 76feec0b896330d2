package io.lazuli.server.junit;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A running server and its temporary folders. */
record TestServer(LazuliServer server, List<Path> temporary) implements AutoCloseable {
  /** The names by which containers reach the machine on which a test runs. */
  private static final List<String> NAMES_IN_CONTAINERS =
      List.of("host.docker.internal", "host.testcontainers.internal");

  static TestServer start(Options options) {
    Storage storage = options.storage();
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", ""));
    if (storage.isInMemory()) {
      return new TestServer(serve(options, temporary), List.of());
    }
    return storage.folder() == null
        ? start(options, temporary)
        : new TestServer(serve(options, storage.folder()), List.of());
  }

  /** Starts a server with a new folder in the given one. */
  static TestServer start(Options options, Path parent) {
    Path folder = newFolder(parent);
    try {
      return new TestServer(serve(options, folder), List.of(folder));
    } catch (RuntimeException | Error e) {
      remove(folder);
      throw e;
    }
  }

  private static LazuliServer serve(Options options, Path folder) {
    Storage storage = options.storage();
    Ports ports = options.ports();
    return LazuliServer.start(
        ServerConfig.builder()
            .freePorts()
            .blobPort(ports.blob())
            .queuePort(ports.queue())
            .tablePort(ports.table())
            .allowedHosts(NAMES_IN_CONTAINERS)
            .engine(storage.engine())
            .dataFolder(folder)
            .durability(storage.durability())
            .development(off -> options.development())
            .build());
  }

  @Override
  public void close() {
    server.close();
    temporary.forEach(TestServer::remove);
  }

  private static Path newFolder(Path parent) {
    try {
      return Files.createTempDirectory(parent, "lazuli-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
