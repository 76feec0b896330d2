package io.lazuli.server.scrub;

import io.lazuli.server.blob.check.ChunkUse;
import io.lazuli.server.blob.check.ContainerCheck;
import io.lazuli.server.catalog.CatalogCheck;
import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.check.Place;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Position;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredChunk;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the bytes of all chunks, a few MiB at a time. A chunk that no blob needs is not damage. */
final class ChunkWalk {
  private static final int CHUNKS_PER_PAGE = 64;
  private static final long BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS_PER_STEP = 8;

  private final StorageEngine engine;
  private final CatalogCheck catalog;
  private final ChunkUse use;
  private final Consumer<Finding> found;
  private final Deque<StoredChunk> page = new ArrayDeque<>();
  private @Nullable ChunkRef listed;
  private long last;
  private long offset;
  private long count;
  private long bytes;
  private long unused;

  ChunkWalk(StorageEngine engine, CatalogCheck catalog, long last, Consumer<Finding> found) {
    this.engine = engine;
    this.catalog = catalog;
    this.use = new ChunkUse(engine);
    this.found = found;
    this.last = last;
    this.listed = last == 0 ? null : new ChunkRef(last);
  }

  /** Returns the number of the last chunk that was read completely; 0 for none. */
  long last() {
    return last;
  }

  long count() {
    return count;
  }

  long bytes() {
    return bytes;
  }

  long unused() {
    return unused;
  }

  /** Reads a part of a chunk. Returns false after the last chunk. */
  boolean step() {
    if (page.isEmpty() && !list()) {
      return false;
    }
    StoredChunk chunk = page.element();
    if (!chunk.complete() || !readOn(chunk)) {
      page.remove();
      last = chunk.ref().number();
      offset = 0;
      count++;
    }
    return true;
  }

  private boolean list() {
    try {
      page.addAll(Futures.await(engine.chunks().list(listed, CHUNKS_PER_PAGE)));
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.CORRUPT) {
        throw e;
      }
      String after = listed == null ? "all" : "after " + Long.toHexString(listed.number());
      found.accept(
          new Finding(Place.CHUNKS, after, "the chunks cannot be listed: " + e.getMessage()));
      return false;
    }
    listed = page.isEmpty() ? listed : page.getLast().ref();
    return !page.isEmpty();
  }

  /** Returns true if there is more to read of the chunk. */
  private boolean readOn(StoredChunk chunk) {
    boolean needed = offset > 0 || use.isNeeded(chunk.owner(), chunk.ref());
    unused += needed ? 0 : 1;
    try (@Nullable ChunkReader reader = Futures.await(engine.chunks().open(chunk.ref()))) {
      if (reader == null || !needed) {
        return false;
      }
      for (int i = 0; i < BLOCKS_PER_STEP && offset < reader.length(); i++) {
        Futures.await(reader.verify(offset));
        bytes += Math.min(BLOCK_BYTES, reader.length() - offset);
        offset += BLOCK_BYTES;
      }
      return offset < reader.length();
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.CORRUPT) {
        throw e;
      }
      if (needed) {
        report(chunk, e);
      }
      return false;
    }
  }

  private void report(StoredChunk chunk, StorageException damage) {
    Place place = catalog.placeOf(chunk.owner().space());
    found.accept(
        new Finding(
            place,
            ContainerCheck.key(Position.startOf(chunk.owner().name())),
            String.valueOf(damage.getMessage()),
            Fix.removeAll(chunk.owner())));
  }
}
