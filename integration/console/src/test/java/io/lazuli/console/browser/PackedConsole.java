package io.lazuli.console.browser;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The packed server as a process, with a store on disk. It ends with the JVM. */
final class PackedConsole {
  static final String ACCOUNT = "devstoreaccount1";

  private final Path folder;
  private final String origin;
  private final String tables;
  private final String firstLink;
  private final Process process;

  private PackedConsole(
      Path folder, String origin, String tables, String firstLink, Process process) {
    this.folder = folder;
    this.process = process;
    this.origin = origin;
    this.tables = tables;
    this.firstLink = firstLink;
  }

  static PackedConsole start() {
    try {
      Path folder = Files.createTempDirectory("lazuli-console");
      seedLoad(folder.resolve("data"));
      return startIn(folder, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server with an empty store, for a test that kills it. */
  static PackedConsole startEmpty() {
    try {
      return startIn(Files.createTempDirectory("lazuli-console"), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the server as a power cut would, and starts another one with its store. */
  PackedConsole killedAndStarted() {
    kill();
    return startIn(folder, 0);
  }

  /** Starts another server with the store of this one, which was killed, on the same admin port. */
  PackedConsole startedAgain() {
    return startIn(folder, URI.create(origin).getPort());
  }

  /** Kills the server. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  private static PackedConsole startIn(Path folder, int adminPort) {
    try {
      List<String> command = new ArrayList<>(java(folder));
      command.add("serve");
      command.add("--data=" + folder.resolve("data"));
      for (String port : List.of("blob", "queue", "table")) {
        command.add("--" + port + "-port=0");
      }
      command.add("--admin-port=" + adminPort);
      Process process =
          new ProcessBuilder(command)
              .redirectError(
                  ProcessBuilder.Redirect.appendTo(Path.of("target", "server.log").toFile()))
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, folder)));
      BufferedReader out = process.inputReader();
      String origin = "";
      String tables = "";
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("admin")) {
          origin = line.substring(line.indexOf("http"));
        } else if (line.startsWith("table")) {
          tables = line.substring(line.indexOf("http"));
        } else if (line.startsWith("console")) {
          return new PackedConsole(
              folder, origin, tables, line.substring(line.indexOf("http")), process);
        }
      }
      throw new IllegalStateException("the server did not start");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stores an hour of load, which no test could wait for, with the server's own collector. */
  private static void seedLoad(Path data) throws IOException {
    Path tests = Path.of(jar()).resolveSibling("test-classes");
    Process seed =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                jar() + File.pathSeparator + tests,
                "io.lazuli.server.load.SeededLoad",
                data.toString(),
                ACCOUNT)
            .redirectError(Path.of("target", "seed.log").toFile())
            .start();
    if (seed.onExit().join().exitValue() != 0) {
      throw new IllegalStateException("no load was seeded; target/seed.log says why");
    }
  }

  private static String jar() {
    return System.getProperty("lazuli.jar", "../../lazuli-server/target/lazuli.jar");
  }

  private static List<String> java(Path folder) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:TieredStopAtLevel=1",
        "-Djava.io.tmpdir=" + folder,
        "-jar",
        jar());
  }

  private static void end(Process process, Path folder) {
    process.destroyForcibly();
    process.onExit().join();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the address of the admin port, without a slash at the end. */
  String origin() {
    return origin;
  }

  /** Returns the address of the table service, with the account. */
  String tables() {
    return tables;
  }

  /** Returns the link that the server printed at its start. It works once. */
  String firstLink() {
    return firstLink;
  }

  /** Returns a new link, as {@code lazuli console} prints it. */
  String newLink() {
    try {
      List<String> command = new ArrayList<>(java(folder));
      command.add("console");
      command.add("--data=" + folder.resolve("data"));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try (BufferedReader out = process.inputReader()) {
        return out.readLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
