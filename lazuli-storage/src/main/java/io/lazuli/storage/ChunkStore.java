package io.lazuli.storage;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stores chunks: large immutable bytes alongside the records, which do not pass through the commit
 * lane. A chunk belongs to an owner, the one partition whose records may refer to it, and lives
 * until it is deleted. Dropping the owner's space does not delete the chunk; that is left to a
 * collector. All methods may be called from any thread. Their futures, and those of readers and
 * writers, keep the rules of {@link StorageEngine}: a local store returns them complete, a remote
 * one never blocks the caller. Failures are {@link StorageException}s. Their kind is {@code
 * UNAVAILABLE} if the store is full, cannot write, or has too many open writers or readers.
 *
 * <p>Deleting a chunk does not disturb the readers that have it open. A caller that reads several
 * chunks and opens them one by one must make sure that nobody deletes the later ones in between.
 */
public interface ChunkStore {
  /** Begins a chunk. Listings soon show the chunk as not complete. */
  CompletableFuture<ChunkWriter> append(Partition owner);

  /**
   * Opens a chunk.
   *
   * @return null if there is no complete chunk with that name
   */
  CompletableFuture<@Nullable ChunkReader> open(ChunkRef ref);

  /**
   * Makes a chunk with the same bytes for another owner or for the same one. The new chunk is
   * durable when the future completes. A store that can share the bytes does not copy them. Neither
   * chunk depends on the other.
   *
   * @return null if there is no complete chunk with that name
   */
  CompletableFuture<@Nullable ChunkRef> copy(ChunkRef ref, Partition owner);

  /**
   * Deletes chunks, complete or not, and ignores those that do not exist. If one of them is still
   * being written, its writer fails from then on. Deleting many chunks in one call costs little
   * more than deleting one.
   */
  CompletableFuture<@Nullable Void> delete(List<ChunkRef> refs);

  /**
   * Lists chunks, incomplete ones too, in an order that never changes. A sequence of calls, each
   * with the last chunk of the previous call, shows every chunk that exists throughout exactly
   * once.
   *
   * @param after the last chunk seen, whether it still exists or not; null to begin
   * @return at most {@code max} chunks; fewer only at the end
   */
  CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max);
}
