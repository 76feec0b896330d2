package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.chunk.ChunkFolder;
import io.lazuli.storage.hbase.chunk.StoredChunks;
import io.lazuli.storage.segment.CutNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a chunk that is in a file as the file of a cut, and compares each piece with its checksum.
 * Blocks. Used by one thread.
 */
final class ChunkFileChannel implements ReadableByteChannel {
  private final ChunkFolder folder;
  private final StoredChunks.Complete chunk;
  private final FSDataInputStream file;
  private ByteBuffer piece;
  private long index;
  private boolean open = true;

  private ChunkFileChannel(
      ChunkFolder folder, StoredChunks.Complete chunk, FSDataInputStream file) {
    this.folder = folder;
    this.chunk = chunk;
    this.file = file;
    this.piece = ByteBuffer.wrap(ChunkChannel.head(chunk).encode());
  }

  /**
   * Opens a chunk.
   *
   * @param isOurs whether nobody may have removed files that the cut needs
   */
  static ChunkFileChannel open(
      @Nullable ChunkFolder folder, StoredChunks.Complete chunk, BooleanSupplier isOurs)
      throws IOException {
    if (folder == null) {
      throw new IOException("the store has chunks in files, and this server has no folder of them");
    }
    try {
      return new ChunkFileChannel(folder, chunk, folder.open(chunk.ref()));
    } catch (FileNotFoundException e) {
      if (!isOurs.getAsBoolean()) {
        throw new StorageException(
            StorageException.Kind.UNAVAILABLE, "another server took this one for dead");
      }
      throw missing(chunk, "its file is missing", e);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!piece.hasRemaining()) {
      if (index == chunk.cells()) {
        return -1;
      }
      piece = next();
    }
    int count = Math.min(target.remaining(), piece.remaining());
    target.put(piece.slice().limit(count));
    piece.position(piece.position() + count);
    return count;
  }

  private ByteBuffer next() throws IOException {
    try {
      byte[] bytes = folder.read(file, chunk.ref(), index, chunk.length(), chunk.checksums());
      index++;
      return ByteBuffer.wrap(bytes);
    } catch (StorageException e) {
      throw missing(chunk, String.valueOf(e.getMessage()), e);
    }
  }

  private static NoSuchFileException missing(
      StoredChunks.Complete chunk, String reason, Exception cause) {
    NoSuchFileException missing = new NoSuchFileException(CutNames.of(chunk.ref()), null, reason);
    missing.initCause(cause);
    return missing;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    open = false;
    file.close();
  }
}
