package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The packed server as a process on free ports. Closing it kills the process. */
record PackedServer(Process process, int blobPort) implements AutoCloseable {
  private static final int KILL_SECONDS_MAX = 20;

  /** Starts the server with the options that make it start fastest. */
  static PackedServer start(Path jar, Path folder) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    Process process =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-Xmx256m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Djava.io.tmpdir=" + temporary,
                    "-jar",
                    jar.toString(),
                    "serve",
                    "--data",
                    folder.resolve("data").toString(),
                    "--blob-port=0",
                    "--queue-port=0",
                    "--table-port=0",
                    "--admin-port=0"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return new PackedServer(process, awaitPort(process));
  }

  /** Reads the output up to its last line, which has the port. */
  private static int awaitPort(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    int port = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("blob ")) {
        port = URI.create(line.substring(5).strip()).getPort();
      } else if (line.startsWith("admin ")) {
        return port;
      }
    }
    throw new IOException("the server did not start");
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(KILL_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
  }
}
