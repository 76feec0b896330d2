package io.lazuli.storage.faults;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StoredChunk;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The chunks of a {@link RemoteEngine}. */
record RemoteChunks(ChunkStore store, Caller caller) implements ChunkStore {
  /** Runs a call on a thread of the engine. */
  interface Caller {
    <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> work);
  }

  @Override
  public CompletableFuture<ChunkWriter> append(Partition owner) {
    return caller.call(
        () -> store.append(owner).thenApply(writer -> new RemoteWriter(writer, caller)));
  }

  @Override
  public CompletableFuture<ChunkReader> open(ChunkRef ref) {
    return caller.call(
        () ->
            store
                .open(ref)
                .thenApply(reader -> reader == null ? null : new RemoteReader(reader, caller)));
  }

  @Override
  public CompletableFuture<ChunkRef> copy(ChunkRef ref, Partition owner) {
    return caller.call(() -> store.copy(ref, owner));
  }

  @Override
  public CompletableFuture<Void> delete(List<ChunkRef> refs) {
    return caller.call(() -> store.delete(refs));
  }

  @Override
  public CompletableFuture<List<StoredChunk>> list(ChunkRef after, int max) {
    return caller.call(() -> store.list(after, max));
  }

  private record RemoteWriter(ChunkWriter writer, Caller caller) implements ChunkWriter {
    @Override
    public CompletableFuture<Void> write(ByteBuffer bytes) {
      return caller.call(() -> writer.write(bytes));
    }

    @Override
    public long length() {
      return writer.length();
    }

    @Override
    public CompletableFuture<ChunkRef> complete() {
      return caller.call(writer::complete);
    }

    @Override
    public void close() {
      writer.close();
    }
  }

  private record RemoteReader(ChunkReader reader, Caller caller) implements ChunkReader {
    @Override
    public long length() {
      return reader.length();
    }

    @Override
    public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
      return caller.call(() -> reader.read(offset, target));
    }

    @Override
    public CompletableFuture<Void> verify(long offset) {
      return caller.call(() -> reader.verify(offset));
    }

    @Override
    public void close() {
      reader.close();
    }
  }
}
