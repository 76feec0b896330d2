package io.lazuli.server.recovery;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one blob in another store: chunks that they refer to are copied, each once, and get
 * other numbers. Belongs to one thread.
 */
final class ChunkCopies {
  private static final int PIECE_BYTES = 256 << 10;

  /** A row as it is stored. */
  record Row(Bytes key, byte[] value) {}

  private final ChunkStore from;
  private final ChunkStore to;
  private final Partition owner;
  private final Map<Long, Long> copies = new HashMap<>();

  ChunkCopies(ChunkStore from, ChunkStore to, Partition owner) {
    this.from = from;
    this.to = to;
    this.owner = owner;
  }

  /** Passes the numbers of the chunks that a row refers to. */
  static void forEachChunk(Bytes row, byte[] value, LongConsumer chunks) {
    switch (BlobRows.kind(row)) {
      case SEGMENT ->
          BlockSegmentCodec.decode(value).forEach(block -> accept(block.place(), chunks));
      case UNCOMMITTED_BLOCK -> accept(UncommittedBlockCodec.decode(value).place(), chunks);
      case PAGE_EXTENT ->
          PageCodec.decodeExtent(value).runs().forEach(run -> accept(run.place(), chunks));
      default -> {}
    }
  }

  private static void accept(BlockPlace place, LongConsumer chunks) {
    if (place.inChunk()) {
      chunks.accept(place.number());
    }
  }

  /** Returns the row for the other store; null if it has no meaning there. */
  @Nullable Row moved(Bytes row, byte[] value) {
    return switch (BlobRows.kind(row)) {
      case SEGMENT ->
          new Row(
              row,
              BlockSegmentCodec.encode(
                  BlockSegmentCodec.decode(value).stream()
                      .map(one -> new Block(one.id(), one.length(), moved(one.place())))
                      .toList()));
      case UNCOMMITTED_BLOCK -> {
        UncommittedBlock one = UncommittedBlockCodec.decode(value);
        yield new Row(
            row,
            UncommittedBlockCodec.encode(
                new UncommittedBlock(moved(one.place()), one.length(), one.putTicks())));
      }
      case PAGE_EXTENT ->
          new Row(
              row,
              PageCodec.encode(
                  new PageExtent(
                      PageCodec.decodeExtent(value).runs().stream().map(this::moved).toList())));
      // Extents come before the marks, so the chunk was copied. One that no extent needs stays.
      case PAGE_CHUNK -> {
        Long copy = copies.get(BlobRows.pageChunkNumber(row));
        yield copy == null ? null : new Row(BlobRows.pageChunk(copy), value);
      }
      // A mark is about a chunk of the other store.
      case GONE_CHUNK -> null;
      default -> new Row(row, value);
    };
  }

  private PageRun moved(PageRun run) {
    return new PageRun(run.page(), run.pages(), run.write(), moved(run.place()), run.placePage());
  }

  private BlockPlace moved(BlockPlace place) {
    return place.inChunk()
        ? new BlockPlace(true, copies.computeIfAbsent(place.number(), this::copy))
        : place;
  }

  private long copy(long number) {
    try (ChunkReader reader = Futures.await(from.open(new ChunkRef(number)))) {
      if (reader == null) {
        throw new IllegalStateException("the backup has no chunk " + number);
      }
      try (ChunkWriter writer = Futures.await(to.append(owner))) {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        for (long at = 0; at < reader.length(); at += piece.limit()) {
          piece.clear();
          Futures.await(reader.read(at, piece));
          piece.flip();
          Futures.await(writer.write(piece.duplicate()));
        }
        return Futures.await(writer.complete()).number();
      }
    }
  }
}
