package io.lazuli.storage;

import java.util.List;

/** The files in which an engine stores its data, for checks of whole files. Thread-safe. */
public interface StoredFiles {
  /** The files of an engine that leaves its files to another system. */
  StoredFiles NONE =
      new StoredFiles() {
        @Override
        public List<String> names() {
          return List.of();
        }

        @Override
        public long bytes(String name) {
          return 0;
        }

        @Override
        public List<StoredDamage> check(String name) {
          return List.of();
        }
      };

  /** Returns the names of the files that the engine needs now, in alphabetical order. */
  List<String> names();

  /** Returns the length of a file; 0 if the engine does not need it any more. */
  long bytes(String name);

  /**
   * Reads a whole file, compares it with its checksums, and returns its damage. A file that the
   * engine does not need any more has none. Blocks.
   */
  List<StoredDamage> check(String name);
}
