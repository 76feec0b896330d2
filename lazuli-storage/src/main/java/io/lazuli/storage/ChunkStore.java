package io.lazuli.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Large immutable bytes beside the records; they pass no commit lane. A chunk belongs to an owner,
 * the one partition whose records may refer to it, and lives until it is deleted: dropping the
 * owner's space leaves it to whoever collects. All methods block, and may be called from any
 * thread. Failures are {@link StorageException}s; when the store has no room, no free place for a
 * writer or a reader, or cannot write, the kind is {@code UNAVAILABLE}.
 *
 * <p>A chunk that is open for reading is not disturbed by its deletion. Whoever reads several
 * chunks one after the other and opens them one by one has to see to it that those ahead are not
 * deleted.
 */
public interface ChunkStore {
  /** Begins a chunk. It is listed from soon after, as not complete. */
  ChunkWriter append(Partition owner);

  /**
   * Opens a chunk.
   *
   * @return null if there is no complete chunk of that name
   */
  @Nullable ChunkReader open(ChunkRef ref);

  /**
   * Makes a chunk with the same bytes for another owner, or for the same; durable when it returns.
   * Costs no copy of bytes where the store can share them. Neither chunk depends on the other.
   *
   * @return null if there is no complete chunk of that name
   */
  @Nullable ChunkRef copy(ChunkRef ref, Partition owner);

  /**
   * Deletes chunks, complete or not; those that are not there are passed over. A writer of one of
   * them fails from then on. Many at a time cost little more than one.
   */
  void delete(List<ChunkRef> refs);

  /**
   * Shows chunks in an order of the store's own that never changes, those that are not complete
   * among them. A chunk that is there throughout is shown once by calls that each go on after the
   * last.
   *
   * @param after the last one seen, there or not; null to begin
   * @return at most {@code max}; fewer only at the end
   */
  List<StoredChunk> list(@Nullable ChunkRef after, int max);
}
