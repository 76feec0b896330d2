package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
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
 * @param checksums if the chunk is complete and in a file, the CRC-32C of each piece of the length
 *     of a cell, 4 bytes each; otherwise empty
 */
record ChunkHeader(
    Partition owner, boolean complete, long ticks, long length, long cellMillis, Bytes checksums) {
  /** The version of headers without checksums, which older builds read. */
  private static final byte VERSION = 1;

  private static final byte VERSION_OF_FILES = 2;
  private static final int FIXED_BYTES = 1 + 1 + 3 * Long.BYTES;

  static ChunkHeader announced(Partition owner, long ticks, long cellMillis) {
    return new ChunkHeader(owner, false, ticks, 0, cellMillis, Bytes.EMPTY);
  }

  ChunkHeader renewed(long newTicks) {
    return new ChunkHeader(owner, false, newTicks, 0, cellMillis, Bytes.EMPTY);
  }

  /**
   * @param newChecksums empty if the chunk is in cells
   */
  ChunkHeader completed(long newTicks, long newLength, Bytes newChecksums) {
    return new ChunkHeader(owner, true, newTicks, newLength, cellMillis, newChecksums);
  }

  /** Returns true if the chunk is complete and in a file. */
  boolean inFile() {
    return checksums.length() > 0;
  }

  StoredChunk toStoredChunk(ChunkRef ref) {
    return new StoredChunk(ref, owner, complete, ticks, length);
  }

  byte[] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + OwnerCodec.length(owner) + checksums.length())
            .put(inFile() ? VERSION_OF_FILES : VERSION)
            .put((byte) (complete ? 1 : 0))
            .putLong(ticks)
            .putLong(length)
            .putLong(cellMillis);
    OwnerCodec.put(owner, out);
    out.put(checksums.array());
    return out.array();
  }

  static ChunkHeader decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    try {
      byte version = in.get();
      if (version != VERSION && version != VERSION_OF_FILES) {
        throw unreadable(null);
      }
      boolean complete = in.get() == 1;
      long ticks = in.getLong();
      long length = in.getLong();
      long cellMillis = in.getLong();
      Partition owner = OwnerCodec.get(in);
      byte[] checksums = new byte[version == VERSION_OF_FILES ? in.remaining() : 0];
      in.get(checksums);
      if (version == VERSION_OF_FILES
          && checksums.length != ChunkCells.count(length) * Integer.BYTES) {
        throw unreadable(null);
      }
      return new ChunkHeader(owner, complete, ticks, length, cellMillis, Bytes.of(checksums));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw unreadable(e);
    }
  }

  private static StorageException unreadable(@Nullable Throwable cause) {
    return new StorageException(
        StorageException.Kind.CORRUPT, "the header of a chunk cannot be read", cause);
  }
}
