package io.lazuli.server.watch;

/** One or more files that are read together. */
public interface WatchedFiles<T> {
  /** Returns a value that differs from the last one if the files have changed. */
  Object stamp();

  /**
   * Reads the files.
   *
   * @throws WatchException if they cannot be used
   */
  T read() throws WatchException;
}
