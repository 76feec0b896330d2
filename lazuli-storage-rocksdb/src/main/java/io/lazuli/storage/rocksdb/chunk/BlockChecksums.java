package io.lazuli.storage.rocksdb.chunk;

import io.lazuli.storage.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C of each block of 1 MiB of a chunk, made while its bytes pass once, in order. Mutable,
 * owned by one writer. The result is 20 KB for 5,000 MiB.
 */
final class BlockChecksums {
  static final int BLOCK_BYTES = 1 << 20;

  private final CRC32C crc = new CRC32C();
  private final ByteArrayOutputStream ended = new ByteArrayOutputStream();
  private int inBlock;

  /** Takes the buffer's remaining bytes, whose position stays as it is. */
  void update(ByteBuffer bytes) {
    ByteBuffer rest = bytes.duplicate();
    while (rest.hasRemaining()) {
      int part = Math.min(rest.remaining(), BLOCK_BYTES - inBlock);
      crc.update(rest.slice(rest.position(), part));
      rest.position(rest.position() + part);
      inBlock += part;
      if (inBlock == BLOCK_BYTES) {
        endBlock();
      }
    }
  }

  /** Four bytes for each block, the last of which may be short. */
  Bytes end() {
    if (inBlock > 0) {
      endBlock();
    }
    return Bytes.of(ended.toByteArray());
  }

  private void endBlock() {
    ended.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array());
    crc.reset();
    inBlock = 0;
  }
}
