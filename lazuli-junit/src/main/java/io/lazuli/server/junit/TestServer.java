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

  static TestServer start(Storage storage, Ports ports) {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", ""));
    if (storage.isInMemory()) {
      return new TestServer(serve(storage, ports, temporary), List.of());
    }
    return storage.folder() == null
        ? start(storage, ports, temporary)
        : new TestServer(serve(storage, ports, storage.folder()), List.of());
  }

  /** Starts a server with a new folder in the given one. */
  static TestServer start(Storage storage, Ports ports, Path parent) {
    Path folder = newFolder(parent);
    try {
      return new TestServer(serve(storage, ports, folder), List.of(folder));
    } catch (RuntimeException | Error e) {
      remove(folder);
      throw e;
    }
  }

  private static LazuliServer serve(Storage storage, Ports ports, Path folder) {
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
