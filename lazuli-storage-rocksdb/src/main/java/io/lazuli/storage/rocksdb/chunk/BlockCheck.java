package io.lazuli.storage.rocksdb.chunk;

import static io.lazuli.storage.rocksdb.chunk.BlockChecksums.BLOCK_BYTES;

import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Compares the bytes that are read from a chunk with its {@link BlockChecksums}. It checks only
 * blocks that are read in order, from beginning to end; it never reads anything itself. Mutable,
 * owned by one reader.
 */
final class BlockCheck {
  private final Bytes checksums;
  private final long length;
  private final CRC32C crc = new CRC32C();
  private boolean following;
  private long next;

  BlockCheck(Bytes checksums, long length) {
    this.checksums = checksums;
    this.length = length;
  }

  /**
   * Checks bytes that were read.
   *
   * @param bytes the bytes; the buffer is advanced to its end
   * @return false if the bytes complete a block that does not match its checksum
   */
  boolean passes(long offset, ByteBuffer bytes) {
    following &= offset == next;
    next = offset + bytes.remaining();
    for (long at = offset; at < next; ) {
      int inBlock = (int) (at % BLOCK_BYTES);
      int part = Math.min(bytes.remaining(), BLOCK_BYTES - inBlock);
      if (inBlock == 0) {
        following = true;
        crc.reset();
      }
      crc.update(bytes.slice(bytes.position(), part));
      bytes.position(bytes.position() + part);
      at += part;
      if (following && endsBlock(at) && !isAsWritten((at - 1) / BLOCK_BYTES)) {
        return false;
      }
    }
    return true;
  }

  private boolean endsBlock(long end) {
    return end % BLOCK_BYTES == 0 || end == length;
  }

  private boolean isAsWritten(long block) {
    int written = ByteBuffer.wrap(checksums.array()).getInt((int) block * Integer.BYTES);
    return written == (int) crc.getValue();
  }
}
