package io.lazuli.storage.memory;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.engine.LocalCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps chunks on the heap, in pieces, within the engine's budget. Writers and copies count in
 * full, although copies share their pieces. The bytes of a deleted chunk that readers still hold do
 * not count. Thread-safe.
 */
final class InMemoryChunkStore implements ChunkStore {
  private final StorageEngine engine;
  private final HeapBudget budget;

  /** The chunks by the counter in their number, which is the order in which they were begun. */
  private final ConcurrentNavigableMap<Long, HeapChunk> chunks = new ConcurrentSkipListMap<>();

  /**
   * @param engine the source of times and numbers, which throws once it is closed
   */
  InMemoryChunkStore(StorageEngine engine, HeapBudget budget) {
    this.engine = engine;
    this.budget = budget;
  }

  @Override
  public CompletableFuture<ChunkWriter> append(Partition owner) {
    return LocalCall.run(() -> new HeapChunkWriter(this, add(owner, List.of(), 0, false)));
  }

  @Override
  public CompletableFuture<@Nullable ChunkReader> open(ChunkRef ref) {
    return LocalCall.<@Nullable ChunkReader>run(
        () -> {
          HeapChunk chunk = find(ref);
          return chunk == null ? null : new HeapChunkReader(chunk);
        });
  }

  @Override
  public CompletableFuture<@Nullable ChunkRef> copy(ChunkRef ref, Partition owner) {
    return LocalCall.<@Nullable ChunkRef>run(() -> copied(ref, owner));
  }

  private @Nullable ChunkRef copied(ChunkRef ref, Partition owner) {
    HeapChunk chunk = find(ref);
    if (chunk == null) {
      return null;
    }
    take(chunk.weightBytes());
    return add(owner, chunk.pieces(), chunk.length(), true).ref();
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(List<ChunkRef> refs) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          remove(refs);
          return null;
        });
  }

  private void remove(List<ChunkRef> refs) {
    requireOpen();
    for (ChunkRef ref : refs) {
      HeapChunk chunk = chunks.remove(counter(ref));
      if (chunk != null && chunk.complete()) {
        giveBack(chunk.weightBytes());
      }
    }
  }

  @Override
  public CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max) {
    return LocalCall.run(() -> page(after, max));
  }

  private List<StoredChunk> page(@Nullable ChunkRef after, int max) {
    requireOpen();
    List<StoredChunk> page = new ArrayList<>();
    long from = after == null ? 0 : counter(after) + 1;
    for (HeapChunk chunk : chunks.tailMap(from).values()) {
      if (page.size() == max) {
        break;
      }
      page.add(
          new StoredChunk(
              chunk.ref(), chunk.owner(), chunk.complete(), chunk.ticks(), chunk.length()));
    }
    return page;
  }

  /** Records that bytes arrived; returns false if the chunk was deleted. */
  boolean noteWrite(ChunkRef ref) {
    long now = engine.now();
    return chunks.computeIfPresent(counter(ref), (key, chunk) -> chunk.writtenAt(now)) != null;
  }

  /** Makes the chunk readable; returns false if it was deleted. */
  boolean complete(ChunkRef ref, List<byte[]> pieces, long length) {
    long now = engine.now();
    return chunks.computeIfPresent(
            counter(ref), (key, chunk) -> chunk.completed(List.copyOf(pieces), length, now))
        != null;
  }

  /** Removes a chunk that was not completed. */
  void forget(ChunkRef ref) {
    chunks.remove(counter(ref));
  }

  void take(long bytes) {
    if (!budget.tryChange(bytes)) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, "the memory is full");
    }
  }

  void giveBack(long bytes) {
    budget.tryChange(-bytes);
  }

  private HeapChunk add(Partition owner, List<byte[]> pieces, long length, boolean complete) {
    ChunkRef ref =
        new ChunkRef(LocalCall.result(engine.newSpace(SpaceKind.CHUNKS, Deadline.NEVER)));
    HeapChunk chunk = new HeapChunk(ref, owner, complete, engine.now(), length, pieces);
    chunks.put(counter(ref), chunk);
    return chunk;
  }

  private @Nullable HeapChunk find(ChunkRef ref) {
    requireOpen();
    HeapChunk chunk = chunks.get(counter(ref));
    return chunk == null || !chunk.complete() ? null : chunk;
  }

  /** Throws if the engine is closed. Asking the engine for its time does that. */
  private void requireOpen() {
    engine.now();
  }

  private static long counter(ChunkRef ref) {
    return Space.counter(ref.number());
  }
}
