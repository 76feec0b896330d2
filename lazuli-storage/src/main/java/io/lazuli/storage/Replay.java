package io.lazuli.storage;

import java.io.IOException;

/**
 * A store that is being restored: the files of a cut, to which the changes after the cut are
 * applied one by one ({@link ChangeLog}). Nobody else can open the store. Belongs to one thread.
 */
public interface Replay extends AutoCloseable {
  /** Returns the number of the last change that the store has. */
  long sequence();

  /** Returns the highest version of the data format whose changes can be applied. */
  int format();

  /**
   * Applies the next change.
   *
   * @param content as in {@link ChangeLog.Change}
   * @throws IOException if the change is damaged, is not the next one, or cannot be written
   */
  void apply(byte[] content) throws IOException;

  /** Shows the files of all chunks that the store needs now, sorted by name. */
  void forEachChunk(StoreCut.FileVisitor visitor) throws IOException;

  /** Makes the changes durable. Without this, they are lost when the replay is closed. */
  void finish() throws IOException;

  @Override
  void close();
}
