package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.chunk.StoredChunks;
import io.lazuli.storage.keys.KeyInterval;
import io.lazuli.storage.segment.ChunkHead;
import io.lazuli.storage.segment.CutNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;

/** Reads a chunk of a copied table as the file of a cut. Blocks. Used by one thread. */
final class ChunkChannel implements ReadableByteChannel {
  private final StoredChunks.Complete chunk;
  private final RowScan rows;
  private ByteBuffer piece;
  private long index;
  private boolean open = true;

  private ChunkChannel(StoredChunks.Complete chunk, RowScan rows) {
    this.chunk = chunk;
    this.rows = rows;
    this.piece = ByteBuffer.wrap(head(chunk).encode());
  }

  /**
   * Opens a chunk.
   *
   * @param table the copy of {@link StoreTable#CHUNKS}
   */
  static ChunkChannel open(
      AsyncConnection connection, TableName table, StoredChunks.Complete chunk) {
    KeyInterval cells = KeyInterval.ofSpace(chunk.ref().number());
    return new ChunkChannel(chunk, RowScan.of(connection, table, cells));
  }

  static ChunkHead head(StoredChunks.Complete chunk) {
    return new ChunkHead(chunk.millis(), chunk.stored());
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!piece.hasRemaining()) {
      if (index == chunk.cells()) {
        return -1;
      }
      piece = cell();
    }
    int count = Math.min(target.remaining(), piece.remaining());
    target.put(piece.slice().limit(count));
    piece.position(piece.position() + count);
    return count;
  }

  private ByteBuffer cell() throws IOException {
    Cell cell = rows.next();
    long length =
        Math.min(StoredChunks.CELL_BYTES, chunk.length() - index * (long) StoredChunks.CELL_BYTES);
    if (cell == null
        || cell.getValueLength() != length
        || !Arrays.equals(CellUtil.cloneRow(cell), StoredChunks.cellKey(chunk.ref(), index))) {
      throw new NoSuchFileException(CutNames.of(chunk.ref()), null, "a part is missing");
    }
    index++;
    return ByteBuffer.wrap(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
    rows.close();
  }
}
