package io.lazuli.storage.memory;

import static io.lazuli.storage.memory.HeapChunk.PIECE_BYTES;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.LocalCall;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Collects a chunk in pieces, and reserves each piece in the budget before it allocates it. */
final class HeapChunkWriter implements ChunkWriter {
  private final InMemoryChunkStore store;
  private final ChunkRef ref;
  private final List<byte[]> pieces = new ArrayList<>();
  private long length;
  private boolean open = true;

  HeapChunkWriter(InMemoryChunkStore store, HeapChunk begun) {
    this.store = store;
    this.ref = begun.ref();
  }

  @Override
  public CompletableFuture<@Nullable Void> write(ByteBuffer bytes) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          append(bytes);
          return null;
        });
  }

  private synchronized void append(ByteBuffer bytes) {
    requireOpen();
    try {
      requireThere(store.noteWrite(ref));
      while (bytes.hasRemaining()) {
        writePart(bytes);
      }
    } catch (StorageException e) {
      close();
      throw e;
    }
  }

  private void writePart(ByteBuffer bytes) {
    int at = (int) (length % PIECE_BYTES);
    if (at == 0) {
      store.take(PIECE_BYTES);
      pieces.add(new byte[PIECE_BYTES]);
    }
    int part = Math.min(bytes.remaining(), PIECE_BYTES - at);
    bytes.get(pieces.get(pieces.size() - 1), at, part);
    length += part;
  }

  @Override
  public synchronized long length() {
    return length;
  }

  @Override
  public CompletableFuture<ChunkRef> complete() {
    return LocalCall.run(this::publish);
  }

  private synchronized ChunkRef publish() {
    requireOpen();
    try {
      store.take(HeapChunk.weightBytes(0));
    } catch (StorageException e) {
      close();
      throw e;
    }
    open = false;
    trimLast();
    if (!store.complete(ref, pieces, length)) {
      store.giveBack(HeapChunk.weightBytes(length));
      requireThere(false);
    }
    return ref;
  }

  @Override
  public synchronized void close() {
    if (open) {
      open = false;
      store.giveBack((long) pieces.size() * PIECE_BYTES);
      store.forget(ref);
    }
  }

  /** Shortens the last piece to its bytes, so that the budget does not count unused space. */
  private void trimLast() {
    int last = (int) (length % PIECE_BYTES);
    if (last != 0) {
      int index = pieces.size() - 1;
      pieces.set(index, Arrays.copyOf(pieces.get(index), last));
      store.giveBack(PIECE_BYTES - last);
    }
  }

  private void requireOpen() {
    if (!open) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, "the chunk is not open");
    }
  }

  private static void requireThere(boolean there) {
    if (!there) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, "the chunk was deleted");
    }
  }
}
