package io.lazuli.server.blob.service;

import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an upload. A small upload stays in memory and becomes a record; a larger one is
 * written to a chunk. Computes their checksums as they arrive. Mutable, used by one thread at a
 * time. Nothing refers to the bytes until a transaction makes them part of a blob; {@link #discard}
 * removes them.
 */
final class UploadedBytes {
  private final ChunkStore chunks;
  private final Partition owner;
  private final BodyDigest digest;
  private byte[] small;
  private int smallLength;
  private @Nullable ChunkWriter writer;
  private @Nullable ChunkRef chunk;
  private boolean opened;

  /**
   * @param length the announced length; the upload may turn out longer or shorter
   * @param digest computes the checksums of all bytes
   */
  UploadedBytes(ChunkStore chunks, Partition owner, long length, BodyDigest digest) {
    this.chunks = chunks;
    this.owner = owner;
    this.digest = digest;
    this.small = new byte[length > BlobLimits.RECORD_BYTES_MAX ? 0 : (int) Math.max(0, length)];
  }

  /** Takes all remaining bytes of the buffer. */
  CompletableFuture<@Nullable Void> take(ByteBuffer bytes) {
    digest(bytes.duplicate());
    int more = bytes.remaining();
    if (!opened && smallLength + more <= small.length) {
      bytes.get(small, smallLength, more);
      smallLength += more;
      return CompletableFuture.completedFuture(null);
    }
    return open().thenCompose(open -> open.write(bytes));
  }

  Checksums checksums() {
    return digest.finish();
  }

  /** Makes the bytes durable if they are in a chunk, and returns them for a transaction. */
  CompletableFuture<NewContent> finish() {
    ChunkWriter open = writer;
    if (open == null) {
      byte[] bytes = small;
      return CompletableFuture.completedFuture(
          NewContent.ofBytes(
              smallLength == bytes.length ? bytes : Arrays.copyOf(bytes, smallLength)));
    }
    long length = open.length();
    return open.complete()
        .thenApply(
            complete -> {
              writer = null;
              chunk = complete;
              return NewContent.ofChunk(complete.number(), length);
            });
  }

  /** Removes bytes that were not finished. */
  void discard() {
    ChunkWriter open = writer;
    writer = null;
    if (open != null) {
      open.close();
    }
  }

  /** Hands the finished bytes over for removal. Only for bytes that nothing will refer to. */
  void giveTo(BlobGarbage garbage) {
    ChunkRef complete = chunk;
    if (complete != null) {
      garbage.delete(complete);
    }
  }

  private CompletableFuture<ChunkWriter> open() {
    ChunkWriter open = writer;
    return open != null
        ? CompletableFuture.completedFuture(open)
        : chunks.append(owner).thenCompose(this::begin);
  }

  private CompletableFuture<ChunkWriter> begin(ChunkWriter begun) {
    writer = begun;
    opened = true;
    ByteBuffer first = ByteBuffer.wrap(small, 0, smallLength);
    small = new byte[0];
    return begun.write(first).thenApply(written -> begun);
  }

  private void digest(ByteBuffer bytes) {
    if (bytes.hasArray()) {
      digest.update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      return;
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    digest.update(copy, 0, copy.length);
  }
}
