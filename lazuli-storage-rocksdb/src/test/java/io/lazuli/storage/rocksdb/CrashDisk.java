package io.lazuli.storage.rocksdb;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A library that is preloaded into a process. It records what the process does to the files of a
 * folder, and makes calls fail on request; see {@code crashdisk.c}.
 */
final class CrashDisk {
  private static final String CONTROL = "CRASHDISK_CONTROL";

  private final Path library;
  private final Path work;

  private CrashDisk(Path library, Path work) {
    this.library = library;
    this.work = work;
  }

  /**
   * Compiles the library.
   *
   * @param work a folder for the library and the trace
   * @return null if there is no compiler, or the system has no preloaded libraries
   */
  static CrashDisk prepare(Path work) throws IOException, InterruptedException {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    Path library = work.resolve("crashdisk.so");
    Path source = Path.of("src", "test", "c", "crashdisk.c");
    List<String> command =
        List.of("cc", "-shared", "-fPIC", "-O1", "-o", "" + library, "" + source, "-ldl");
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).inheritIO().start();
    } catch (IOException e) {
      return null;
    }
    if (compiler.waitFor() != 0) {
      throw new AssertionError("cc could not compile " + source);
    }
    return new CrashDisk(library, work);
  }

  /** Returns the environment of a process whose changes below the folder are recorded. */
  Map<String, String> environment(Path root) {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "CRASHDISK_ROOT",
        root.toString(),
        "CRASHDISK_TRACE",
        trace().toString(),
        CONTROL,
        work.resolve("control").toString());
  }

  /** Returns the recorded changes. */
  Path trace() {
    return work.resolve("trace");
  }

  /**
   * Sends a line to the library from within the process: a mark for the trace, or a fault. The mark
   * is in the trace when this returns.
   */
  static void send(String line) {
    try (FileOutputStream out = new FileOutputStream(System.getenv(CONTROL), true)) {
      out.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
