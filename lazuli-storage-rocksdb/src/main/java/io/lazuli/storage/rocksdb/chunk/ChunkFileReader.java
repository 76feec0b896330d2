package io.lazuli.storage.rocksdb.chunk;

import static io.lazuli.storage.rocksdb.chunk.BlockChecksums.BLOCK_BYTES;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.LocalCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a chunk's file, which it keeps open, and checks every byte that it returns. On every
 * supported system, a deleted file stays readable while it is open. Mutable.
 *
 * <h2>Checking without keeping a block</h2>
 *
 * A checksum covers a block of 1 MiB, and no byte of a damaged block may be returned. Holding the
 * block in memory until the client has taken it would cost 1 MiB for each reader. So a block is
 * read twice. The first pass computes the checksum of the block and, from the same bytes, one
 * checksum for each piece of 64 KiB. If the block is as it was written, so are these checksums. The
 * second pass reads piece by piece into the caller's buffer and compares each piece with its
 * checksum, because the file may have changed after the first pass: the bytes that are returned are
 * the bytes that were checked. A buffer that takes a whole block needs one pass only.
 */
final class ChunkFileReader implements ChunkReader {
  static final int PIECE_BYTES = 64 << 10;

  /**
   * Memory for one piece. It belongs to the thread, because there are fewer threads than readers.
   */
  private static final ThreadLocal<ByteBuffer> MEMORY =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(PIECE_BYTES));

  private final ChunkFiles store;
  private final ChunkRef ref;
  private final ChunkRow row;
  private final FileChannel channel;
  private final CRC32C crc = new CRC32C();
  private final CRC32C blockCrc = new CRC32C();

  /** The checksums of the pieces of {@link #verified}. */
  private final int[] pieceSums = new int[BLOCK_BYTES / PIECE_BYTES];

  /** The block that passed its checksum last; -1 if there is none. */
  private long verified = -1;

  ChunkFileReader(ChunkFiles store, ChunkRef ref, ChunkRow row, FileChannel channel) {
    this.store = store;
    this.ref = ref;
    this.row = row;
    this.channel = channel;
  }

  @Override
  public long length() {
    return row.length();
  }

  ChunkRow row() {
    return row;
  }

  @Override
  public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
    return LocalCall.run(() -> readNow(offset, target));
  }

  private int readNow(long offset, ByteBuffer target) {
    if (offset >= row.length()) {
      return -1;
    }
    long block = offset / BLOCK_BYTES;
    long blockStart = block * BLOCK_BYTES;
    int blockLength = blockLength(block);
    if (offset == blockStart && target.remaining() >= blockLength) {
      return readChecked(offset, blockLength, target, row.checksum(block));
    }
    verifyBlock(offset);
    int piece = (int) (offset - blockStart) / PIECE_BYTES;
    long pieceStart = blockStart + (long) piece * PIECE_BYTES;
    int pieceLength = (int) Math.min(PIECE_BYTES, blockStart + blockLength - pieceStart);
    if (offset == pieceStart && target.remaining() >= pieceLength) {
      return readChecked(offset, pieceLength, target, pieceSums[piece]);
    }
    ByteBuffer memory = MEMORY.get().clear();
    readChecked(pieceStart, pieceLength, memory, pieceSums[piece]);
    memory.flip().position((int) (offset - pieceStart));
    int part = Math.min(memory.remaining(), target.remaining());
    target.put(memory.limit(memory.position() + part));
    return part;
  }

  @Override
  public CompletableFuture<@Nullable Void> verify(long offset) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          verifyBlock(offset);
          return null;
        });
  }

  private void verifyBlock(long offset) {
    long block = offset / BLOCK_BYTES;
    if (offset >= row.length() || block == verified) {
      return;
    }
    verified = -1;
    long blockStart = block * BLOCK_BYTES;
    int blockLength = blockLength(block);
    ByteBuffer memory = MEMORY.get();
    blockCrc.reset();
    for (int at = 0; at < blockLength; at += PIECE_BYTES) {
      memory.clear().limit(Math.min(PIECE_BYTES, blockLength - at));
      fill(blockStart + at, memory);
      pieceSums[at / PIECE_BYTES] = sum(memory.flip());
      blockCrc.update(memory.rewind());
    }
    if ((int) blockCrc.getValue() != row.checksum(block)) {
      throw damaged(blockStart);
    }
    verified = block;
  }

  /** Checks the whole chunk. */
  void verifyAll() {
    for (long offset = 0; offset < row.length(); offset += BLOCK_BYTES) {
      verifyBlock(offset);
    }
  }

  @Override
  public synchronized void close() {
    if (channel.isOpen()) {
      try {
        channel.close();
      } catch (IOException e) {
        throw ChunkFiles.unavailable("a chunk could not be closed", e);
      } finally {
        store.readerEnded();
      }
    }
  }

  /** Reads bytes and advances the target past them only if they have the expected checksum. */
  private int readChecked(long offset, int length, ByteBuffer target, int expected) {
    ByteBuffer part = target.slice(target.position(), length);
    fill(offset, part);
    if (sum(part.flip()) != expected) {
      throw damaged(offset - offset % BLOCK_BYTES);
    }
    target.position(target.position() + length);
    return length;
  }

  private void fill(long offset, ByteBuffer target) {
    try {
      while (target.hasRemaining()) {
        if (channel.read(target, offset + target.position()) < 0) {
          throw damaged(offset - offset % BLOCK_BYTES);
        }
      }
    } catch (IOException e) {
      throw store.unreadable(ref, e);
    }
  }

  private int sum(ByteBuffer bytes) {
    crc.reset();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private int blockLength(long block) {
    return (int) Math.min(BLOCK_BYTES, row.length() - block * BLOCK_BYTES);
  }

  private StorageException damaged(long blockStart) {
    return store.damaged(
        ref, "does not match its checksum in the block at offset " + blockStart, null);
  }
}
