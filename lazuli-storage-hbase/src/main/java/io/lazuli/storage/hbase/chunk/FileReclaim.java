package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.chunk.ChunkTombstones.Tombstone;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the files of deleted chunks, and remembers the first that cannot be removed. Used by one
 * background thread, which waits for the file system; any thread may ask for the fault.
 */
final class FileReclaim {
  /** After so many failures in a step, the file system is probably away. */
  static final int FAILURES_PER_STEP_MAX = 3;

  private static final Logger log = LoggerFactory.getLogger(FileReclaim.class);

  private final @Nullable ChunkFiles files;
  private final BooleanSupplier storeHasFiles;
  private int failures;

  /** The first failure of this pass over all tombstones. */
  private String found = "";

  private volatile String fault = "";

  /**
   * @param files null if this server has no folder of chunks
   * @param storeHasFiles asks the cluster whether another server has one
   */
  FileReclaim(@Nullable ChunkFiles files, BooleanSupplier storeHasFiles) {
    this.files = files;
    this.storeHasFiles = storeHasFiles;
  }

  /** Returns true if this server removes the file that a chunk may have. */
  boolean removes(Tombstone tombstone) {
    return files != null && tombstone.mayHaveFile();
  }

  /**
   * Removes the file of a chunk, if there is one.
   *
   * @return false if the file may still exist, so that the tombstone must stay
   */
  boolean remove(Tombstone tombstone) {
    if (!tombstone.mayHaveFile()) {
      return true;
    }
    if (files == null) {
      boolean none = !tombstone.inFile() && !storeHasFiles.getAsBoolean();
      if (!none) {
        note("this server began without lazuli.chunk.folder, which the store needs");
      }
      return none;
    }
    try {
      return Steps.await(files.delete(tombstone.ref()));
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.CLOSED) {
        throw e;
      }
      failures++;
      note("chunk %016x: %s".formatted(tombstone.ref().number(), e.getMessage()));
      return false;
    }
  }

  private void note(String failure) {
    if (found.isEmpty()) {
      found = failure;
      if (fault.isEmpty()) {
        log.warn("files of deleted chunks stay: {}", failure);
      }
      fault = failure;
    }
  }

  void stepBegins() {
    failures = 0;
  }

  /** Returns true if so many files could not be removed in this step that it should end. */
  boolean areAway() {
    return failures >= FAILURES_PER_STEP_MAX;
  }

  /** Notes that every tombstone was tried. */
  void passEnded() {
    fault = found;
    found = "";
  }

  /** Returns why files stay; empty if the last pass removed all that were due. */
  String fault() {
    return fault;
  }
}
