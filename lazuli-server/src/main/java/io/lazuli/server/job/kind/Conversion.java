package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.job.JobFiles;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.file.Converter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a file of a job in a folder of its own: writes it there, lets the program work, and
 * stores what it made. If it is cut off, it begins again.
 */
final class Conversion {
  private static final String FOLDER = "folder";
  private static final String PREFIX = "lazuli-job-";
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int CHUNKS_PER_STEP = 32;
  private static final int SAID_MAX = 300;

  private final JobFiles files;
  private final JobRun run;
  private final Converter converter;
  private final String source;
  private final long sourceChunks;
  private final String target;
  private final Path folder;
  private final Path from;
  private final Path to;
  private int read;
  private int stored;
  private long bytes;
  private @Nullable Process process;

  /**
   * @param fromFormat the end of the name of a file of the source's format
   */
  Conversion(
      JobFiles files,
      JobRun run,
      Converter converter,
      String source,
      long sourceChunks,
      String fromFormat,
      String target,
      String toFormat) {
    this.files = files;
    this.run = run;
    this.converter = converter;
    this.source = source;
    this.sourceChunks = sourceChunks;
    this.target = target;
    String before = run.cursor(FOLDER);
    if (before != null && String.valueOf(Path.of(before).getFileName()).startsWith(PREFIX)) {
      remove(Path.of(before));
    }
    try {
      this.folder = Files.createTempDirectory(PREFIX);
    } catch (IOException e) {
      throw new JobFailure("There is no place for temporary files: " + e.getMessage(), e);
    }
    run.cursor(FOLDER, folder.toString());
    this.from = folder.resolve("in." + fromFormat);
    this.to = folder.resolve("out." + toFormat);
  }

  /** Returns the pause before the next step; null at the end. */
  @Nullable Duration step() {
    try {
      if (read < sourceChunks) {
        write();
        return Duration.ZERO;
      }
      Process running = process;
      if (running == null) {
        if (sourceChunks == 0) {
          Files.createFile(from);
        }
        process = converter.start(from, to, folder.resolve("said"));
        return LOOK;
      }
      if (running.isAlive()) {
        return LOOK;
      }
      if (running.exitValue() != 0) {
        throw new JobFailure("The file cannot be converted: " + said());
      }
      if (store()) {
        return Duration.ZERO;
      }
      end();
      return null;
    } catch (IOException e) {
      end();
      throw new JobFailure("The file cannot be converted: " + e.getMessage(), e);
    } catch (JobFailure e) {
      end();
      throw e;
    }
  }

  private void write() throws IOException {
    try (OutputStream out =
        Files.newOutputStream(from, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      long until = Math.min(sourceChunks, (long) read + CHUNKS_PER_STEP);
      while (read < until) {
        byte[] chunk = files.get(source, read);
        if (chunk == null) {
          throw new JobFailure("The file is not there any more.");
        }
        out.write(chunk);
        read++;
      }
    }
  }

  /** Stores some chunks of the result; returns whether there are more. */
  private boolean store() throws IOException {
    try (InputStream in = Files.newInputStream(to)) {
      in.skipNBytes((long) stored * JobFiles.CHUNK_BYTES);
      for (int i = 0; i < CHUNKS_PER_STEP; i++) {
        byte[] chunk = in.readNBytes(JobFiles.CHUNK_BYTES);
        if (chunk.length == 0) {
          return false;
        }
        bytes += chunk.length;
        if (bytes > JobFiles.FILE_BYTES_MAX) {
          throw new JobFailure("The converted file is longer than 4 GiB.");
        }
        files.put(target, stored++, chunk);
      }
      return true;
    }
  }

  private String said() throws IOException {
    String all =
        Files.readString(folder.resolve("said"), StandardCharsets.ISO_8859_1)
            .replace(folder.toString() + "/", "")
            .strip();
    List<String> lines = all.lines().toList();
    String first = lines.isEmpty() ? "the program said nothing" : lines.get(0);
    return first.substring(0, Math.min(SAID_MAX, first.length()));
  }

  long bytes() {
    return bytes;
  }

  int chunks() {
    return stored;
  }

  /** Ends the program, and removes the folder. */
  void end() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
    }
    remove(folder);
    run.cursor(FOLDER, (String) null);
  }

  private static void remove(Path folder) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new JobFailure("Temporary files cannot be removed: " + e.getMessage(), e);
    }
  }
}
