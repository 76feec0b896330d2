package io.lazuli.storage.rocksdb.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.keys.OwnerCodec;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The row of a chunk, which is stored in addition to its file (docs/formats.md).
 *
 * @param complete false while the chunk is being written or deleted
 * @param ticks the time when the chunk was announced or completed
 * @param checksums see {@link BlockChecksums}; empty while the chunk is not complete
 */
record ChunkRow(Partition owner, boolean complete, long ticks, long length, Bytes checksums) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 1 + 1 + 2 * Long.BYTES;

  static ChunkRow announced(Partition owner, long ticks) {
    return new ChunkRow(owner, false, ticks, 0, Bytes.EMPTY);
  }

  static ChunkRow completed(Partition owner, long ticks, long length, Bytes checksums) {
    return new ChunkRow(owner, true, ticks, length, checksums);
  }

  /** Returns the row of this chunk while it is being deleted. */
  ChunkRow retracted() {
    return announced(owner, ticks);
  }

  /** Returns the checksum of a block. */
  int checksum(long block) {
    return ByteBuffer.wrap(checksums.array()).getInt((int) block * Integer.BYTES);
  }

  byte[] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + OwnerCodec.length(owner) + checksums.length())
            .put(VERSION)
            .put((byte) (complete ? 1 : 0))
            .putLong(ticks)
            .putLong(length);
    OwnerCodec.put(owner, out);
    return out.put(checksums.array()).array();
  }

  static ChunkRow decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    try {
      if (in.get() != VERSION) {
        throw unreadable(null);
      }
      boolean complete = in.get() == 1;
      long ticks = in.getLong();
      long length = in.getLong();
      Partition owner = OwnerCodec.get(in);
      byte[] checksums = new byte[in.remaining()];
      in.get(checksums);
      return new ChunkRow(owner, complete, ticks, length, Bytes.of(checksums));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw unreadable(e);
    }
  }

  private static StorageException unreadable(@Nullable Throwable cause) {
    return new StorageException(
        StorageException.Kind.CORRUPT, "the row of a chunk cannot be read", cause);
  }
}
