package io.lazuli.storage;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;

/**
 * Everything that an engine had stored at one moment, as files that do not change until the cut is
 * closed. Every transaction and every chunk that was acknowledged before the cut was made is in it,
 * and every transaction is in it completely or not at all. A store that is restored from the files
 * has the data of that moment. Writers continue while a cut is open. Belongs to one thread.
 *
 * <p>A cut of a shared engine has each partition as of one moment, but not all partitions as of the
 * same moment: what was acknowledged while the cut was made may be in it or not. Every chunk that
 * one of its records refers to is in it.
 */
public interface StoreCut extends AutoCloseable {
  /**
   * The name of a file in a folder whose restore has not finished. No engine opens such a folder.
   */
  String UNFINISHED = "RESTORING";

  /**
   * One file of a cut.
   *
   * @param name the path in the data folder, with slashes
   * @param version tells contents apart that had the same name at different times
   * @param isLasting true if a later cut of the same store with the same name, length and version
   *     has the same content
   */
  record File(String name, long length, long version, boolean isLasting) {}

  /** Takes one file after another. */
  @FunctionalInterface
  interface FileVisitor {
    void visit(File file) throws IOException;
  }

  /** Returns the name of the engine that can restore the files. */
  default String engine() {
    return "rocksdb";
  }

  /**
   * Returns a name of the store. A copy of its files that was made from a cut gets another name
   * when it is used.
   */
  String store();

  /** Returns the engine's time of the cut, in ticks. Every write up to this time is in the cut. */
  long ticks();

  /**
   * Returns a time in ticks after the cut was made. Every write that begins after it is not in the
   * cut.
   */
  default long endTicks() {
    return ticks();
  }

  /**
   * Returns the number of the last change in the cut ({@link ChangeLog}); -1 if the engine does not
   * number its changes.
   */
  default long sequence() {
    return -1;
  }

  /**
   * Shows all files, sorted by name, in bounded memory. May be called again.
   *
   * @throws StorageException if the list is damaged
   */
  void forEach(FileVisitor visitor) throws IOException;

  /**
   * Shows the files whose lengths are known before they are read, sorted by name, so that somebody
   * can say how much there is to copy.
   *
   * @return the length of all other files, as far as it is known
   */
  default long preview(FileVisitor visitor) throws IOException {
    forEach(visitor);
    return 0;
  }

  /**
   * Opens a file for reading. It must be the file that a visitor was shown last.
   *
   * @throws java.nio.file.NoSuchFileException if the store had lost the file before the cut; may
   *     also be thrown while the file is read, with its name
   */
  ReadableByteChannel open(File file) throws IOException;

  /** Releases the disk space that the cut holds. */
  @Override
  void close();
}
