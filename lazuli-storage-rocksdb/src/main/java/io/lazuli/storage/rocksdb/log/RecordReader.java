package io.lazuli.storage.rocksdb.log;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file in RocksDB's log format, which its logs and its manifest have. Stops
 * at the first piece that cannot be read, and can search for a later record from there. Mutable:
 * belongs to one thread.
 *
 * <p>A file consists of blocks of 32 KiB. A record is one piece, or several if it does not fit into
 * the rest of its block. A piece has a masked CRC-32C (4 bytes), a length (2) and a type (1), all
 * little-endian, and then its bytes; the checksum covers the type and the bytes. The rest of a
 * block that has no room for a header is unused. RocksDB has more types, for recycled and for
 * compressed logs and for keys with timestamps. The engine uses none of these features, so here
 * they count as damage.
 */
final class RecordReader implements Closeable {
  static final int BLOCK_BYTES = 32 << 10;
  static final int HEADER_BYTES = 7;

  private static final int BUFFER_BYTES = 32 * BLOCK_BYTES;
  private static final int FULL = 1;
  private static final int FIRST = 2;

  /** Pieces between the first and the last one have type 3. */
  private static final int LAST = 4;

  private final FileChannel channel;
  private final int keptBytesMax;
  private final byte[] buffer;
  private final CRC32C crc = new CRC32C();

  /** The length of the file when it was opened: bytes that are added later are not read. */
  private final long size;

  private long bufferOffset;
  private int bufferLength;
  private long end;
  private @Nullable Fault fault;

  private long pieceOffset;
  private int pieceType;
  private int pieceLength;
  private Fault.@Nullable Kind pieceFault;

  /**
   * A record.
   *
   * @param offset the first byte of its first piece
   * @param end the first byte after its last piece
   * @param head its first bytes, or all of them
   */
  record Found(long offset, long end, byte[] head) {}

  /**
   * Opens a file.
   *
   * @param offset where to begin; a record ends there, or it is 0
   * @param keptBytesMax the number of bytes of each record that the caller wants
   */
  RecordReader(Path file, long offset, int keptBytesMax) throws IOException {
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
    this.size = channel.size();
    this.keptBytesMax = keptBytesMax;
    this.buffer = new byte[(int) Math.min(BUFFER_BYTES, roundedUp(size - blockOf(offset)))];
    this.end = offset;
  }

  /** Returns the next record, or null at the end of the file and at a fault. */
  @Nullable Found next() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream(Math.min(keptBytesMax, 64));
    long begin = -1;
    long at = end;
    while (fault == null && findPiece(at)) {
      boolean begins = pieceType == FULL || pieceType == FIRST;
      if (begins != (begin < 0)) {
        fault = new Fault(pieceOffset, begins ? Fault.Kind.NO_END : Fault.Kind.NO_BEGINNING);
        return null;
      }
      begin = begins ? pieceOffset : begin;
      head.write(buffer, indexOf(pieceOffset) + HEADER_BYTES, kept(head.size()));
      at = pieceEnd();
      if (pieceType == FULL || pieceType == LAST) {
        end = at;
        return new Found(begin, end, head.toByteArray());
      }
    }
    if (fault == null && pieceFault != null) {
      fault = new Fault(pieceOffset, pieceFault);
    } else if (fault == null && begin >= 0) {
      fault = new Fault(size, Fault.Kind.CUT);
    }
    return null;
  }

  /** Returns the fault that ended the reading; null if there is none. */
  @Nullable Fault fault() {
    return fault;
  }

  /** Returns the offset after the last complete record. */
  long end() {
    return end;
  }

  long size() {
    return size;
  }

  /**
   * Searches for a record that begins after the fault, and goes on there. The pieces of a damaged
   * record that are readable do not count. If a length is damaged, nothing says where the next
   * piece begins, so every offset is tried.
   *
   * @param accepted tells whether the first piece of a record can be what it looks like; gets the
   *     beginning of a record, without its end
   * @return false if no record begins after the fault
   */
  boolean skipFault(Predicate<Found> accepted) throws IOException {
    Fault skipped = fault;
    long at = skipped == null ? size : skipped.offset();
    while (at < size) {
      boolean readable = findPiece(at);
      if (!readable && pieceFault == null) {
        return false;
      }
      if (readable && mayBegin() && accepted.test(beginning())) {
        fault = null;
        end = pieceOffset;
        return true;
      }
      at = readable ? pieceEnd() : Math.max(at, pieceOffset) + 1;
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * Returns true if a record can begin with the piece. Pieces that are not the last fill a block.
   */
  private boolean mayBegin() {
    return pieceType == FULL || (pieceType == FIRST && pieceEnd() % BLOCK_BYTES == 0);
  }

  private Found beginning() {
    byte[] head = new byte[kept(0)];
    System.arraycopy(buffer, indexOf(pieceOffset) + HEADER_BYTES, head, 0, head.length);
    return new Found(pieceOffset, pieceEnd(), head);
  }

  private int kept(int already) {
    return Math.min(pieceLength, keptBytesMax - already);
  }

  /**
   * Finds the piece that begins at an offset, or in the next block if the rest of this one has no
   * room.
   *
   * @return false at the end of the file, and if the piece cannot be read
   */
  private boolean findPiece(long from) throws IOException {
    long blockEnd = blockOf(from) + BLOCK_BYTES;
    pieceOffset = blockEnd - from < HEADER_BYTES ? blockEnd : from;
    pieceFault = null;
    if (pieceOffset >= size) {
      return false;
    }
    fill(pieceOffset);
    pieceFault = checkPiece(blockOf(pieceOffset) + BLOCK_BYTES);
    return pieceFault == null;
  }

  /**
   * Returns true if the last piece is complete except for its length: the rest of the file matches
   * the piece's checksum. A crash that tears a piece leaves a part of it, which does not match.
   */
  boolean endsWithDamagedLength() throws IOException {
    Fault found = fault;
    if (found == null || size - found.offset() <= HEADER_BYTES) {
      return false;
    }
    fill(found.offset());
    int at = indexOf(found.offset());
    int length = (int) (size - found.offset()) - HEADER_BYTES;
    crc.reset();
    crc.update(buffer, at + 6, Math.min(1 + length, buffer.length - at - 6));
    return masked((int) crc.getValue()) == fixed32(buffer, at);
  }

  private Fault.@Nullable Kind checkPiece(long blockEnd) {
    if (size - pieceOffset < HEADER_BYTES) {
      return Fault.Kind.CUT;
    }
    int at = indexOf(pieceOffset);
    pieceLength = (buffer[at + 4] & 0xff) | (buffer[at + 5] & 0xff) << 8;
    pieceType = buffer[at + 6] & 0xff;
    if (pieceType == 0 && pieceLength == 0) {
      return Fault.Kind.ZEROS;
    }
    if (pieceType < FULL || pieceType > LAST) {
      return Fault.Kind.TYPE;
    }
    if (pieceEnd() > blockEnd) {
      return Fault.Kind.LENGTH;
    }
    if (pieceEnd() > size) {
      return Fault.Kind.CUT;
    }
    crc.reset();
    crc.update(buffer, at + 6, 1 + pieceLength);
    return masked((int) crc.getValue()) == fixed32(buffer, at) ? null : Fault.Kind.CHECKSUM;
  }

  private long pieceEnd() {
    return pieceOffset + HEADER_BYTES + pieceLength;
  }

  /** Reads the block of an offset, and the blocks after it, unless they are in the buffer. */
  private void fill(long offset) throws IOException {
    if (offset >= bufferOffset && offset < bufferOffset + bufferLength) {
      return;
    }
    bufferOffset = blockOf(offset);
    bufferLength = 0;
    ByteBuffer target = ByteBuffer.wrap(buffer);
    target.limit((int) Math.min(buffer.length, size - bufferOffset));
    while (target.hasRemaining()) {
      int count = channel.read(target, bufferOffset + target.position());
      if (count < 0) {
        throw new IOException("the file became shorter while it was read");
      }
    }
    bufferLength = target.position();
  }

  private int indexOf(long offset) {
    return (int) (offset - bufferOffset);
  }

  private static long blockOf(long offset) {
    return offset - offset % BLOCK_BYTES;
  }

  private static long roundedUp(long bytes) {
    return Math.max(1, (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES) * BLOCK_BYTES;
  }

  /** Masks a checksum as RocksDB does, because a checksum of bytes with checksums is weak. */
  static int masked(int sum) {
    return Integer.rotateRight(sum, 15) + 0xa282ead8;
  }

  private static int fixed32(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes, at, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }
}
