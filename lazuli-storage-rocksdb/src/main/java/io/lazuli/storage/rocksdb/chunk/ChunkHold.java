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
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the files of deleted chunks while a cut of the store is open, or until an archive has them.
 * Such a file is moved to the folder {@code held}. For a cut, it is removed when the cut is closed
 * or at the next start; for an archive, when {@link #release} names it. Thread-safe.
 */
public final class ChunkHold implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChunkHold.class);

  private final Path root;
  private final Path held;
  private final boolean keepsAll;

  @GuardedBy("this")
  private boolean active;

  /**
   * @param keepsAll whether there is an archive
   */
  ChunkHold(Path root, Path held, boolean keepsAll) {
    this.root = root;
    this.held = held;
    this.keepsAll = keepsAll;
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
      if (active || keepsAll) {
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
      if (!keepsAll) {
        clear();
      }
    } catch (IOException e) {
      LOG.warn("files of deleted chunks stay until the next start: {}", e.toString());
    }
  }

  /** Prepares the folder at a start, and removes what a killed process has left for a cut. */
  synchronized void prepare() throws IOException {
    if (keepsAll) {
      Files.createDirectories(held);
    } else {
      clear();
    }
  }

  /** Returns the files of deleted chunks that are kept now. */
  public List<Path> kept() throws IOException {
    if (!Files.isDirectory(held)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(held)) {
      return files.toList();
    }
  }

  /** Returns the length of these files. */
  public long keptBytes() throws IOException {
    long bytes = 0;
    for (Path file : kept()) {
      try {
        bytes += Files.size(file);
      } catch (NoSuchFileException e) {
        // It was released at the same time.
      }
    }
    return bytes;
  }

  /** Removes files that the archive does not need any more. While a cut is open, they stay. */
  public synchronized void release(List<Path> files) throws IOException {
    if (!active) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }

  private void clear() throws IOException {
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
