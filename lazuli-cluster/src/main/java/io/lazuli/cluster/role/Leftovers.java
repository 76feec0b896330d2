package io.lazuli.cluster.role;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes the folder of a cluster whose processes are ending. */
public final class Leftovers {
  private static final int ATTEMPTS_MAX = 100;
  private static final long PAUSE_MILLIS = 100;

  private Leftovers() {}

  /**
   * Deletes a folder. Tries again for some seconds, because the processes may still write. Files
   * that cannot be deleted by then stay.
   */
  public static void remove(String folder) {
    Path root = Path.of(folder);
    for (int attempt = 1; attempt <= ATTEMPTS_MAX && Files.exists(root); attempt++) {
      try {
        removeOnce(root);
      } catch (IOException | UncheckedIOException e) {
        if (!pause()) {
          return;
        }
      }
    }
  }

  private static void removeOnce(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
