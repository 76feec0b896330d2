package io.lazuli.server.blob.check;

import io.lazuli.server.error.Futures;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.StorageException;
import org.jspecify.annotations.Nullable;

/** Finds out whether the chunks exist that a blob refers to; their bytes are read elsewhere. */
final class ChunkLengths {
  private final ChunkStore chunks;
  private long lastNumber = -1;
  private long lastLength;

  ChunkLengths(ChunkStore chunks) {
    this.chunks = chunks;
  }

  /** Returns what is wrong with a chunk that should have a length; empty if nothing is. */
  String problem(long number, long lengthMin, long lengthMax) {
    try {
      long length = number == lastNumber ? lastLength : length(number);
      lastNumber = number;
      lastLength = length;
      if (length < 0) {
        return "is missing: there is no chunk " + Long.toHexString(number);
      }
      return length >= lengthMin && length <= lengthMax
          ? ""
          : "has " + length + " bytes in chunk " + Long.toHexString(number);
    } catch (IllegalArgumentException e) {
      return "has no valid place: " + e.getMessage();
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.CORRUPT) {
        throw e;
      }
      return "is damaged: " + e.getMessage();
    }
  }

  private long length(long number) {
    @Nullable ChunkReader reader = Futures.await(chunks.open(new ChunkRef(number)));
    if (reader == null) {
      return -1;
    }
    try (reader) {
      return reader.length();
    }
  }
}
