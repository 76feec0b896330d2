package io.lazuli.server.job.file;

import io.lazuli.server.table.protocol.EntityBody;
import org.jspecify.annotations.Nullable;

/** Reads the entities of a file in their order. Throws {@code JobFailure} for a wrong file. */
public interface EntitySource {
  /** Returns the next entity; null at the end. */
  @Nullable EntityBody next();

  /** Returns the place at which a source can go on after the last entity. */
  long position();

  /**
   * Opens a source.
   *
   * @param position 0, or the position of another source of the same file
   * @param isGuarded whether texts in CSV may have been kept from being formulas
   */
  static EntitySource open(String format, FileBytes bytes, long position, boolean isGuarded) {
    return format.equals("csv")
        ? new CsvSource(bytes, position, isGuarded)
        : new JsonLinesSource(bytes, position);
  }
}
