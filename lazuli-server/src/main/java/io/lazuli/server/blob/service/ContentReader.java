package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.PartitionUse;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.ContentPiece;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of one version, piece by piece. Keeps the version from being removed until the
 * reader is closed. Keeps one chunk open at a time and looks up a bounded number of pieces ahead.
 */
final class ContentReader implements BlobReader {
  /** The number of pieces that one lookup returns. */
  private static final int PIECES_AHEAD = 1_000;

  private final BlobRecords records;
  private final ChunkStore chunks;
  private final PartitionUse.Mark mark;
  private final long version;
  private final long end;
  private final long length;
  private final Deque<ContentPiece> ahead = new ArrayDeque<>();

  /** The offset of the first byte for which no piece was looked up yet. */
  private long next;

  private long left;
  private @Nullable ByteBuffer bytes;
  private @Nullable ChunkReader chunk;
  private long chunkAt;
  private long chunkLeft;

  /**
   * Opens the first piece and checks its first bytes, so that damage there is found before an
   * answer begins. A piece in a record is read immediately.
   *
   * @param mark keeps the version from being removed; closed by this reader
   * @param range not empty
   */
  ContentReader(
      BlobRecords records,
      ChunkStore chunks,
      PartitionUse.Mark mark,
      long version,
      ByteRange range) {
    this.records = records;
    this.chunks = chunks;
    this.mark = mark;
    this.version = version;
    this.next = range.from();
    this.end = range.to() + 1;
    this.length = range.length();
    this.left = length;
    openFirst();
  }

  private void openFirst() {
    boolean opened = false;
    try {
      open();
      if (chunk != null) {
        chunk.verify(chunkAt);
      }
      opened = true;
    } finally {
      if (!opened) {
        closeChunk();
      }
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(ByteBuffer target) {
    StorageFailures.<@Nullable Void>translating(
        () -> {
          readNext(target);
          return null;
        });
  }

  @Override
  public void close() {
    closeChunk();
    mark.close();
  }

  private void readNext(ByteBuffer target) {
    if (left == 0 || !target.hasRemaining()) {
      return;
    }
    ByteBuffer record = bytes;
    boolean pieceIsOver = record == null ? chunkLeft == 0 : !record.hasRemaining();
    if (pieceIsOver) {
      open();
      record = bytes;
    }
    left -= record == null ? readChunk(target) : copy(record, target);
  }

  private static int copy(ByteBuffer from, ByteBuffer target) {
    int size = Math.min(from.remaining(), target.remaining());
    target.put(from.slice().limit(size));
    from.position(from.position() + size);
    return size;
  }

  private int readChunk(ByteBuffer target) {
    ChunkReader open = chunk;
    int limit = target.limit();
    target.limit(target.position() + (int) Math.min(target.remaining(), chunkLeft));
    int size = open == null ? -1 : open.read(chunkAt, target);
    target.limit(limit);
    if (size <= 0) {
      throw missing();
    }
    chunkAt += size;
    chunkLeft -= size;
    return size;
  }

  /** Opens the next piece. */
  private void open() {
    closeChunk();
    ContentPiece piece = nextPiece();
    if (piece.place().inChunk()) {
      bytes = null;
      chunk = chunks.open(new ChunkRef(piece.place().number()));
      chunkAt = piece.offset();
      chunkLeft = piece.length();
      if (chunk == null) {
        throw missing();
      }
    } else {
      byte[] record = records.bytes(piece.place().number());
      bytes = ByteBuffer.wrap(record, (int) piece.offset(), (int) piece.length());
    }
  }

  private ContentPiece nextPiece() {
    if (ahead.isEmpty()) {
      ahead.addAll(records.pieces(version, new ByteRange(next, end - 1), PIECES_AHEAD));
    }
    ContentPiece piece = ahead.poll();
    if (piece == null) {
      throw missing();
    }
    next += piece.length();
    return piece;
  }

  private void closeChunk() {
    ChunkReader open = chunk;
    chunk = null;
    if (open != null) {
      open.close();
    }
  }

  private static StorageException missing() {
    return new StorageException(StorageException.Kind.CORRUPT, "content of a blob is missing");
  }
}
