package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a chunk beside its file (docs/formats.md).
 *
 * @param complete false while it is being written or deleted
 * @param ticks when it was announced or completed
 * @param checksums see {@link BlockChecksums}; empty while it is not complete
 */
record ChunkRow(Partition owner, boolean complete, long ticks, long length, Bytes checksums) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 1 + 1 + 3 * Long.BYTES + 2 * Integer.BYTES;

  static ChunkRow announced(Partition owner, long ticks) {
    return new ChunkRow(owner, false, ticks, 0, Bytes.EMPTY);
  }

  static ChunkRow completed(Partition owner, long ticks, long length, Bytes checksums) {
    return new ChunkRow(owner, true, ticks, length, checksums);
  }

  /** The row of a chunk that is being deleted. */
  ChunkRow retracted() {
    return announced(owner, ticks);
  }

  byte[] encode() {
    Bytes home = owner.space().requireHome().name();
    int bytes = FIXED_BYTES + home.length() + owner.name().length() + checksums.length();
    return ByteBuffer.allocate(bytes)
        .put(VERSION)
        .put((byte) (complete ? 1 : 0))
        .putLong(ticks)
        .putLong(length)
        .putLong(owner.space().number())
        .putInt(home.length())
        .put(home.array())
        .putInt(owner.name().length())
        .put(owner.name().array())
        .put(checksums.array())
        .array();
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
      long space = in.getLong();
      Partition home = new Partition(Space.CATALOGUE, bytes(in, in.getInt()));
      Partition owner = new Partition(new Space(space, home), bytes(in, in.getInt()));
      return new ChunkRow(owner, complete, ticks, length, bytes(in, in.remaining()));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw unreadable(e);
    }
  }

  private static Bytes bytes(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] array = new byte[length];
    in.get(array);
    return Bytes.of(array);
  }

  private static StorageException unreadable(@Nullable Throwable cause) {
    return new StorageException(
        StorageException.Kind.CORRUPT, "the row of a chunk cannot be read", cause);
  }
}
