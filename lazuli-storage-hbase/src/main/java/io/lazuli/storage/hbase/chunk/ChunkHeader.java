package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.keys.OwnerCodec;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The directory's entry about a chunk.
 *
 * @param complete false while the chunk is being written
 * @param ticks the time when the chunk was completed; before that, when the last byte arrived, to
 *     the minute
 * @param length the length in bytes; 0 if the chunk is not complete
 * @param cellMillis the timestamp of all its cells; a delete must not have an earlier timestamp
 */
record ChunkHeader(Partition owner, boolean complete, long ticks, long length, long cellMillis) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 1 + 1 + 3 * Long.BYTES;

  static ChunkHeader announced(Partition owner, long ticks, long cellMillis) {
    return new ChunkHeader(owner, false, ticks, 0, cellMillis);
  }

  ChunkHeader renewed(long newTicks) {
    return new ChunkHeader(owner, false, newTicks, 0, cellMillis);
  }

  ChunkHeader completed(long newTicks, long newLength) {
    return new ChunkHeader(owner, true, newTicks, newLength, cellMillis);
  }

  StoredChunk toStoredChunk(ChunkRef ref) {
    return new StoredChunk(ref, owner, complete, ticks, length);
  }

  byte[] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + OwnerCodec.length(owner))
            .put(VERSION)
            .put((byte) (complete ? 1 : 0))
            .putLong(ticks)
            .putLong(length)
            .putLong(cellMillis);
    OwnerCodec.put(owner, out);
    return out.array();
  }

  static ChunkHeader decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    try {
      if (in.get() != VERSION) {
        throw unreadable(null);
      }
      boolean complete = in.get() == 1;
      long ticks = in.getLong();
      long length = in.getLong();
      long cellMillis = in.getLong();
      return new ChunkHeader(OwnerCodec.get(in), complete, ticks, length, cellMillis);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw unreadable(e);
    }
  }

  private static StorageException unreadable(@Nullable Throwable cause) {
    return new StorageException(
        StorageException.Kind.CORRUPT, "the header of a chunk cannot be read", cause);
  }
}
