package io.lazuli.server.job.file;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts files with the program {@code lazuli-transfer}, which has the formats that the server
 * does not. It runs as a process of its own and sees two files, no server and no key.
 */
public final class Converter {
  private static final String JAR = "lazuli-transfer.jar";

  private final @Nullable Path jar;

  /**
   * @param jar the program; null if it is not installed
   */
  public Converter(@Nullable Path jar) {
    this.jar = jar;
  }

  /** Finds the program next to the server, or where a build of the sources puts it. */
  public static Converter installed() {
    try {
      CodeSource own = Converter.class.getProtectionDomain().getCodeSource();
      Path folder = own == null ? null : Path.of(own.getLocation().toURI()).getParent();
      if (folder == null) {
        return new Converter(null);
      }
      return new Converter(
          List.of(folder.resolve(JAR), folder.resolve("../../lazuli-transfer/target/" + JAR))
              .stream()
              .map(Path::normalize)
              .filter(Files::isRegularFile)
              .findFirst()
              .orElse(null));
    } catch (URISyntaxException e) {
      return new Converter(null);
    }
  }

  /** Returns why there is no conversion; empty if there is. */
  public String unavailable() {
    return jar == null
        ? "the program lazuli-transfer.jar is not installed next to the server."
        : "";
  }

  /**
   * Starts the conversion of a file. The ends of the names say the formats.
   *
   * @param log takes what the program says
   */
  public Process start(Path from, Path to, Path log) throws IOException {
    if (jar == null) {
      throw new IOException(unavailable());
    }
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-jar",
            jar.toString(),
            "table",
            "convert",
            from.toString(),
            to.toString())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
