package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes the blocks of an upload that a block list has ended. Reads the upload and the new list,
 * and none of the other states of the blob: a block gets into other content only through the list
 * that ended its upload, and nobody reads blocks that are not committed. Blocks.
 */
final class UploadSweep {
  private final StorageEngine engine;
  private final EndedUpload ended;
  private final Deadline deadline;

  UploadSweep(StorageEngine engine, EndedUpload ended, Deadline deadline) {
    this.engine = engine;
    this.ended = ended;
    this.deadline = deadline;
  }

  /**
   * Removes the rows. Returns the chunks that can be deleted; empty if the list is gone, because
   * then other content may name blocks of the upload.
   */
  Optional<List<ChunkRef>> run() {
    BlobRecords records = new BlobRecords(engine, ended.partition(), deadline);
    Set<BlockPlace> named = new HashSet<>();
    long length = 0;
    for (Block block : Futures.await(records.blocks(blob(ended.content(), Upload.NONE)))) {
      named.add(block.place());
      length += block.length();
    }
    if (length != ended.content().length()) {
      return Optional.empty();
    }
    List<Bytes> rows = new ArrayList<>();
    List<ChunkRef> dead = new ArrayList<>();
    Futures.await(
        records.visitUncommitted(
            blob(BlobContent.NONE, ended.upload()),
            (id, block) -> {
              BlockPlace place = block.place();
              rows.add(BlobRows.uncommitted(ended.upload().number(), id));
              if (!named.contains(place) && place.inChunk()) {
                dead.add(new ChunkRef(place.number()));
              } else if (!named.contains(place)) {
                rows.add(BlobRows.bytes(place.number()));
              }
            }));
    boolean removed = true;
    for (int at = 0; at < rows.size() && removed; at += RemoveBody.ROWS_MAX) {
      List<Bytes> batch = rows.subList(at, Math.min(rows.size(), at + RemoveBody.ROWS_MAX));
      removed =
          Futures.await(
              engine.transact(
                  ended.partition(),
                  List.of(BlobRows.PROPERTIES),
                  deadline,
                  new RemoveBlocksBody(ended.upload().number(), batch)));
    }
    return removed ? Optional.of(dead) : Optional.empty();
  }

  private static BlobProperties blob(BlobContent content, Upload upload) {
    return BlobProperties.UNCOMMITTED.withContent(content, 0).withUpload(upload);
  }

  /** Removes rows of an upload. Does nothing if the blob still has the upload. */
  private record RemoveBlocksBody(long upload, List<Bytes> rows)
      implements TransactionBody<Boolean> {
    @Override
    public Boolean run(PartitionView partition) {
      BlobProperties blob = new BlobView(partition).findStored();
      if (blob != null && blob.upload().number() == upload) {
        return false;
      }
      rows.forEach(partition::delete);
      return true;
    }
  }
}
