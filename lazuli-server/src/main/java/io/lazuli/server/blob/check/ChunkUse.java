package io.lazuli.server.blob.check;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.garbage.LiveContent;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether blobs still refer to chunks. Remembers the last blob, because the chunks of a
 * blob come one after another. Mutable, used by one thread, blocks.
 */
public final class ChunkUse {
  private final StorageEngine engine;
  private @Nullable Partition lastOwner;
  private @Nullable LiveContent lastContent;

  public ChunkUse(StorageEngine engine) {
    this.engine = engine;
  }

  /** Returns true if the blob that owns a chunk refers to it. */
  public boolean isNeeded(Partition owner, ChunkRef chunk) {
    try {
      BlobRecords records = new BlobRecords(engine, owner, Deadline.NEVER);
      LiveContent content = owner.equals(lastOwner) ? lastContent : null;
      if (content == null) {
        content = new LiveContent(Futures.await(records.propertiesRecord()), Long.MAX_VALUE);
        Futures.await(records.visit(BlobRows.SEGMENTS, content::add));
        lastOwner = owner;
        lastContent = content;
      }
      return content.holdsChunk(chunk.number())
          || Futures.await(records.has(BlobRows.pageChunk(chunk.number())));
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.SPACE_GONE) {
        return false;
      }
      if (e.kind() == StorageException.Kind.CORRUPT) {
        return true; // The damage of the blob is reported; nothing is known about the chunk.
      }
      throw e;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
