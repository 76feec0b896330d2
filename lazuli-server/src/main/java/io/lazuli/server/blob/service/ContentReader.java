package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.PartitionUse;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.ContentPiece;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.sparse.PageMap;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of one version, piece by piece. Keeps the version from being removed until the
 * reader is closed. Keeps one chunk open at a time and looks up a bounded number of pieces ahead.
 */
final class ContentReader implements BlobReader {
  /** The number of pieces that one lookup returns. */
  private static final int PIECES_AHEAD = 1_000;

  private static final byte[] ZEROS = new byte[4 << 10];

  private final BlobRecords records;
  private final ChunkStore chunks;
  private final PartitionUse.Mark mark;
  private final long version;

  /** The map of a page blob; null for other blobs. */
  private final @Nullable PageMap pages;

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

  /** The zeros that are left of the current piece. */
  private long zerosLeft;

  private ContentReader(
      BlobRecords records,
      ChunkStore chunks,
      PartitionUse.Mark mark,
      BlobProperties blob,
      ByteRange range) {
    this.records = records;
    this.chunks = chunks;
    this.mark = mark;
    this.version = blob.content().version();
    this.pages = blob.type() == BlobType.PAGE ? new PageMap(records, blob) : null;
    this.next = range.from();
    this.end = range.to() + 1;
    this.length = range.length();
    this.left = length;
  }

  /**
   * Opens the first piece and checks its first bytes, so that damage there is found before an
   * answer begins. A piece in a record is read immediately.
   *
   * @param mark keeps the version from being removed; closed by this reader
   * @param range not empty
   */
  static CompletableFuture<ContentReader> open(
      BlobRecords records,
      ChunkStore chunks,
      PartitionUse.Mark mark,
      BlobProperties blob,
      ByteRange range) {
    ContentReader reader = new ContentReader(records, chunks, mark, blob, range);
    return reader
        .openNext()
        .thenCompose(opened -> reader.verify())
        .thenApply(verified -> reader)
        .whenComplete(
            (opened, failure) -> {
              if (failure != null) {
                reader.closeChunk();
              }
            });
  }

  private CompletableFuture<@Nullable Void> verify() {
    return chunk == null ? CompletableFuture.completedFuture(null) : chunk.verify(chunkAt);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public CompletionStage<@Nullable Void> read(ByteBuffer target) {
    if (left == 0 || !target.hasRemaining()) {
      return CompletableFuture.completedFuture(null);
    }
    ByteBuffer record = bytes;
    boolean pieceIsOver =
        zerosLeft == 0 && (record == null ? chunkLeft == 0 : !record.hasRemaining());
    return StorageFailures.<@Nullable Void>translatingStage(
        () ->
            (pieceIsOver ? openNext() : CompletableFuture.<@Nullable Void>completedFuture(null))
                .thenCompose(open -> copy(target)));
  }

  @Override
  public void close() {
    closeChunk();
    mark.close();
  }

  private CompletableFuture<@Nullable Void> copy(ByteBuffer target) {
    if (zerosLeft > 0) {
      putZeros(target);
      return CompletableFuture.completedFuture(null);
    }
    ByteBuffer record = bytes;
    if (record == null) {
      return readChunk(target);
    }
    left -= copy(record, target);
    return CompletableFuture.completedFuture(null);
  }

  private void putZeros(ByteBuffer target) {
    int size = (int) Math.min(zerosLeft, target.remaining());
    for (int at = 0; at < size; at += ZEROS.length) {
      target.put(ZEROS, 0, Math.min(ZEROS.length, size - at));
    }
    zerosLeft -= size;
    left -= size;
  }

  private static int copy(ByteBuffer from, ByteBuffer target) {
    int size = Math.min(from.remaining(), target.remaining());
    target.put(from.slice().limit(size));
    from.position(from.position() + size);
    return size;
  }

  private CompletableFuture<@Nullable Void> readChunk(ByteBuffer target) {
    ChunkReader open = chunk;
    if (open == null) {
      return CompletableFuture.failedFuture(missing());
    }
    int limit = target.limit();
    target.limit(target.position() + (int) Math.min(target.remaining(), chunkLeft));
    return open.read(chunkAt, target)
        .<@Nullable Void>thenApply(
            size -> {
              target.limit(limit);
              if (size <= 0) {
                throw missing();
              }
              chunkAt += size;
              chunkLeft -= size;
              left -= size;
              return null;
            });
  }

  /** Opens the next piece. */
  private CompletableFuture<@Nullable Void> openNext() {
    closeChunk();
    return nextPiece().thenCompose(this::open);
  }

  private CompletableFuture<@Nullable Void> open(ContentPiece piece) {
    BlockPlace place = piece.place();
    if (place == null) {
      bytes = null;
      chunkLeft = 0;
      zerosLeft = piece.length();
      return CompletableFuture.completedFuture(null);
    }
    long number = place.number();
    if (!place.inChunk()) {
      return (pages == null ? records.bytes(number) : records.pageBytes(number))
          .<@Nullable Void>thenApply(
              record -> {
                bytes = ByteBuffer.wrap(record, (int) piece.offset(), (int) piece.length());
                return null;
              });
    }
    bytes = null;
    chunkAt = piece.offset();
    chunkLeft = piece.length();
    return chunks
        .open(new ChunkRef(number))
        .<@Nullable Void>thenApply(
            opened -> {
              if (opened == null) {
                throw missing();
              }
              chunk = opened;
              return null;
            });
  }

  private CompletableFuture<ContentPiece> nextPiece() {
    if (!ahead.isEmpty()) {
      return CompletableFuture.completedFuture(takePiece());
    }
    ByteRange rest = new ByteRange(next, end - 1);
    return (pages == null
            ? records.pieces(version, rest, PIECES_AHEAD)
            : pages.pieces(rest, PIECES_AHEAD))
        .thenApply(
            pieces -> {
              ahead.addAll(pieces);
              return takePiece();
            });
  }

  private ContentPiece takePiece() {
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
