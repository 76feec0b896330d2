package io.lazuli.storage.segment;

import io.lazuli.storage.ChunkRef;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** The files of a cut in segments, wherever they are. Blocks. */
public interface SegmentSource {
  /** Takes the content of one segment after another, until it returns false. */
  @FunctionalInterface
  interface Visitor {
    boolean visit(InputStream segment) throws IOException;
  }

  /**
   * Shows, in order, the segments that may have records of a space.
   *
   * @throws IOException if one cannot be read or is damaged
   */
  void forEach(long space, Visitor visitor) throws IOException;

  /** Returns the file of a chunk, which may not exist. */
  Path file(ChunkRef chunk);
}
