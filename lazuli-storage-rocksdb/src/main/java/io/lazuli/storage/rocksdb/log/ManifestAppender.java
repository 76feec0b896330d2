package io.lazuli.storage.rocksdb.log;

import io.lazuli.storage.EngineOpenException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Takes tables out of the set that the manifest of a closed database describes, by changes at its
 * end, as RocksDB's own tool {@code ldb unsafe_remove_sst_file} does. A crash leaves an incomplete
 * change, which RocksDB ignores.
 */
public final class ManifestAppender {
  private static final int REMOVED_TABLE = 6;
  private static final int FAMILY = 200;
  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;

  /**
   * A table to take out.
   *
   * @param family the number of its column family
   * @param number the number in the name of its file
   */
  public record Table(int family, int level, long number) {}

  private ManifestAppender() {}

  /** Takes tables out of the set. The files stay until RocksDB opens. */
  public static void remove(Path database, List<Table> tables) throws IOException {
    Manifest manifest = Manifest.read(database);
    if (manifest == null) {
      throw new EngineOpenException("there is no manifest in " + database, null);
    }
    try (FileChannel channel = FileChannel.open(manifest.file(), StandardOpenOption.WRITE)) {
      long at = channel.size();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (Table table : tables) {
        at += append(change(table), at, out);
      }
      ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
      channel.position(channel.size());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static byte[] change(Table table) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    putNumber(REMOVED_TABLE, out);
    putNumber(table.level(), out);
    putNumber(table.number(), out);
    putNumber(FAMILY, out);
    putNumber(table.family(), out);
    return out.toByteArray();
  }

  /** Writes a record in one or two pieces. Returns the number of bytes that were added. */
  private static int append(byte[] record, long at, ByteArrayOutputStream out) {
    int before = out.size();
    int left = RecordReader.BLOCK_BYTES - (int) (at % RecordReader.BLOCK_BYTES);
    if (left < RecordReader.HEADER_BYTES) {
      out.writeBytes(new byte[left]);
      left = RecordReader.BLOCK_BYTES;
    }
    int first = Math.min(record.length, left - RecordReader.HEADER_BYTES);
    if (first == record.length) {
      putPiece(FULL, record, 0, record.length, out);
    } else {
      putPiece(FIRST, record, 0, first, out);
      putPiece(LAST, record, first, record.length, out);
    }
    return out.size() - before;
  }

  private static void putPiece(
      int type, byte[] record, int from, int to, ByteArrayOutputStream out) {
    CRC32C crc = new CRC32C();
    crc.update(type);
    crc.update(record, from, to - from);
    ByteBuffer header =
        ByteBuffer.allocate(RecordReader.HEADER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(RecordReader.masked((int) crc.getValue()))
            .putShort((short) (to - from))
            .put((byte) type);
    out.writeBytes(header.array());
    out.write(record, from, to - from);
  }

  private static void putNumber(long number, ByteArrayOutputStream out) {
    long rest = number;
    while (rest > 0x7f) {
      out.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
