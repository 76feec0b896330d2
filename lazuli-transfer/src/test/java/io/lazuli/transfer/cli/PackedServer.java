package io.lazuli.transfer.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The packed server as a process, which all tests of this JVM share. It ends with the JVM. */
final class PackedServer {
  private static final String JAR = "lazuli.jar";

  /** Starts with the first use. */
  private static final class Shared {
    static final String CONNECTION = start();
  }

  private PackedServer() {}

  static String connectionString() {
    return Shared.CONNECTION;
  }

  private static String start() {
    String jar = System.getProperty(JAR, "../lazuli-server/target/lazuli.jar");
    try {
      Path folder = Files.createTempDirectory("lazuli-transfer");
      Process process =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-Xmx512m",
                      "-XX:TieredStopAtLevel=1",
                      "-Djava.io.tmpdir=" + folder,
                      "-jar",
                      jar,
                      "serve",
                      "--data=" + folder.resolve("data"),
                      "--blob-port=0",
                      "--queue-port=0",
                      "--table-port=0",
                      "--admin-port=0"))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, folder)));
      BufferedReader out = process.inputReader();
      String line = out.readLine();
      while (line != null && !line.startsWith("DefaultEndpointsProtocol=")) {
        line = out.readLine();
      }
      if (line == null) {
        throw new IllegalStateException("the server of " + jar + " did not start");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
}
