package io.lazuli.transfer.format;

import io.lazuli.transfer.entity.Entity;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the entities of a file in their order. */
public interface EntityInput extends Closeable {
  /** Returns the next entity, or null at the end. */
  @Nullable Entity next() throws IOException;

  /** Returns a position from which a reader can be opened that continues after the last entity. */
  long position();

  /** Returns the position at the end of the file. */
  long end();
}
