package io.lazuli.storage.rocksdb.log;

import java.nio.file.Path;

/**
 * A place where acknowledged changes are missing from the logs.
 *
 * @param log the number of the damaged log
 * @param offset where the damage begins
 * @param goodBytes the bytes of the log before the damage, up to the end of a batch
 * @param problem a sentence without its full stop
 */
record LogDamage(long log, Path file, long offset, long goodBytes, String problem) {
  /** Returns a line for an operator. */
  String line() {
    return file + ", offset " + offset + ": " + problem;
  }
}
