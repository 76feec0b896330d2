package io.lazuli.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** The sources of the console, as the server serves them. */
final class ConsoleFiles {
  static final Path ROOT = Path.of("src/main/resources/console");

  private ConsoleFiles() {}

  /** All files whose name ends so, sorted. */
  static List<Path> all(String end) {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(end))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The sum of the sizes, each file packed by itself. */
  static long gzipped(List<Path> files) {
    return files.stream().mapToLong(file -> gzippedTogether(List.of(file))).sum();
  }

  /** The size of all files packed as one. */
  static long gzippedTogether(List<Path> files) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      for (Path file : files) {
        gzip.write(Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.size();
  }
}
