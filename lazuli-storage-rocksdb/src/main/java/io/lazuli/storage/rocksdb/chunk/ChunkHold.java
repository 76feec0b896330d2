package io.lazuli.storage.rocksdb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the files of deleted chunks while a cut of the store is open. A file that is deleted during
 * this time is moved to the folder {@code held}, and removed when the cut is closed or at the next
 * start. Thread-safe.
 */
public final class ChunkHold implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChunkHold.class);

  private final Path root;
  private final Path held;

  @GuardedBy("this")
  private boolean active;

  ChunkHold(Path root) {
    this.root = root;
    this.held = root.resolve("held");
  }

  /** Begins to keep files. Deletions that begin later keep theirs. */
  synchronized void begin() throws IOException {
    if (active) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "a cut of the store is already open");
    }
    Files.createDirectories(held);
    active = true;
  }

  /**
   * Deletes the file of a chunk, or moves it aside.
   *
   * @return false if there is no such file
   */
  boolean delete(Path file) throws IOException {
    synchronized (this) {
      if (active) {
        try {
          Files.move(
              file, held.resolve(file.getFileName().toString()), StandardCopyOption.ATOMIC_MOVE);
          return true;
        } catch (NoSuchFileException e) {
          return false;
        }
      }
    }
    return Files.deleteIfExists(file);
  }

  /**
   * Opens the file of a chunk, in its place or aside. A file moves at most once, so the second
   * attempt finds a file that moved after the first one.
   *
   * @param name the path below the folder of chunks
   */
  public FileChannel open(String name) throws IOException {
    Path file = root.resolve(name);
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      return FileChannel.open(held.resolve(file.getFileName().toString()), StandardOpenOption.READ);
    }
  }

  /** Removes the files that were kept. */
  @Override
  public synchronized void close() {
    active = false;
    try {
      clear();
    } catch (IOException e) {
      LOG.warn("files of deleted chunks stay until the next start: {}", e.toString());
    }
  }

  /** Removes what a killed process has left. */
  synchronized void clear() throws IOException {
    if (!Files.isDirectory(held)) {
      return;
    }
    try (Stream<Path> files = Files.list(held)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(held);
  }
}
