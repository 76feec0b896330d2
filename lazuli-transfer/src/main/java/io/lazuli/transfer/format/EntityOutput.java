package io.lazuli.transfer.format;

import io.lazuli.transfer.entity.Entity;
import java.io.Closeable;
import java.io.IOException;

/** Writes entities to a file. The file is complete after {@link #close}. */
public interface EntityOutput extends Closeable {
  void write(Entity entity) throws IOException;
}
