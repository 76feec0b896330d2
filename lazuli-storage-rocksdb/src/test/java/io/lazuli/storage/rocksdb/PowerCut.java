package io.lazuli.storage.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Simulates the effect of a power cut on files. A preloaded library records what the writer syncs,
 * and after the kill every file is truncated to its synced length. Not covered: files that are
 * overwritten in place, lost directory entries, and disks that report a sync before it is done.
 */
final class PowerCut {
  private final Path library;
  private final Path log;

  private PowerCut(Path library, Path log) {
    this.library = library;
    this.log = log;
  }

  /** Compiles the library, or fails with a clear message. */
  static PowerCut prepare(Path work) throws IOException, InterruptedException {
    Path library = work.resolve("synclog.so");
    Path source = Path.of("src", "test", "c", "synclog.c");
    List<String> command =
        List.of(
            "gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl");
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).inheritIO().start();
    } catch (IOException e) {
      throw new AssertionError("the power-cut test needs gcc on the PATH", e);
    }
    if (compiler.waitFor() != 0) {
      throw new AssertionError("gcc could not compile " + source);
    }
    return new PowerCut(library, work.resolve("synced"));
  }

  /** Returns the environment of the writer's process. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "SYNCLOG", log.toString());
  }

  /** Returns the length of every file. What exists before the writer starts counts as synced. */
  Map<Path, Long> lengths(Path folder) throws IOException {
    Files.deleteIfExists(log);
    Map<Path, Long> lengths = new HashMap<>();
    for (Path file : files(folder)) {
      lengths.put(file, Files.size(file));
    }
    return lengths;
  }

  /**
   * Truncates every file of the folder to its synced length.
   *
   * @param before the result of {@link #lengths} before the writer was started
   * @return the number of bytes that were cut off
   */
  long cut(Path folder, Map<Path, Long> before) throws IOException {
    Map<Path, Long> synced = new HashMap<>(before);
    for (String line : Files.readAllLines(log)) {
      apply(line, synced);
    }
    long gone = 0;
    for (Path file : files(folder)) {
      long keep = synced.getOrDefault(file, 0L);
      long excess = Files.size(file) - keep;
      if (excess > 0) {
        gone += excess;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(keep);
        }
      }
    }
    return gone;
  }

  private static void apply(String line, Map<Path, Long> synced) {
    if (line.startsWith("S ")) {
      int space = line.indexOf(' ', 2);
      long length = Long.parseLong(line.substring(2, space));
      synced.merge(Path.of(line.substring(space + 1)), length, Math::max);
    } else {
      String[] names = line.substring(2).split("\t", -1);
      Long length = synced.remove(Path.of(names[0]));
      synced.put(Path.of(names[1]), length == null ? 0 : length);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
