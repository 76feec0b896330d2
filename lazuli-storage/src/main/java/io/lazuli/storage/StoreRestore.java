package io.lazuli.storage;

import java.io.IOException;
import java.io.InputStream;

/**
 * Fills an empty store with the files of a {@link StoreCut}. No server opens the store before the
 * restore is complete. Belongs to one thread, which it blocks.
 */
public interface StoreRestore extends AutoCloseable {
  /** Returns the place of the store, for people. */
  String place();

  /**
   * Stores the content of a file. The files come in the order in which the cut showed them. The
   * caller compares the content with its checksum afterwards, and gives the restore up if it
   * differs.
   *
   * @throws IOException if the file does not belong to a cut of this engine
   */
  void write(String name, InputStream content) throws IOException;

  /**
   * Makes the store usable. Everything is durable then.
   *
   * @throws IOException if files are missing
   */
  void complete() throws IOException;

  /** Releases all resources. A restore that is not complete stays so. */
  @Override
  void close();
}
