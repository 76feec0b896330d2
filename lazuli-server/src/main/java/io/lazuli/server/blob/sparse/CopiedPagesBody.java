package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.error.Invariant;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes extents of a copy that no properties name yet. The result is false if the copy took so
 * long that its version was removed as garbage.
 *
 * @param version the version that was reserved for the copy
 * @param chunks the chunks that the extents refer to
 */
public record CopiedPagesBody(long version, List<CopiedExtent> extents, Set<Long> chunks)
    implements TransactionBody<Boolean> {
  /** The number of extents in one transaction: at most a megabyte. */
  public static final int EXTENTS_MAX = 16;

  /** The write number of copied pages: every state sees them. */
  private static final long FIRST_WRITE = 0;

  public CopiedPagesBody {
    Invariant.check(extents.size() <= EXTENTS_MAX, "too many extents in a transaction");
  }

  @Override
  public Boolean run(PartitionView partition) {
    if (partition.read(BlobRows.segment(version, 0)) == null) {
      return false;
    }
    long number = new BlobView(partition).newTicks();
    for (long chunk : chunks) {
      if (partition.read(BlobRows.goneChunk(chunk)) != null) {
        return false;
      }
      partition.put(BlobRows.pageChunk(chunk), PageCodec.chunkMark());
    }
    for (CopiedExtent copied : extents) {
      PageExtent pages = copied.pages();
      if (copied.bytes().length > 0) {
        BlockPlace place = PagesView.storeBytes(partition, copied.bytes(), number);
        number = place.number() + 1;
        pages = placed(pages, place);
      }
      partition.put(
          BlobRows.pageExtent(version, copied.extent(), FIRST_WRITE), PageCodec.encode(pages));
    }
    return true;
  }

  @Override
  public long weightBytes() {
    return extents.stream().mapToLong(extent -> extent.bytes().length).sum();
  }

  private static PageExtent placed(PageExtent pages, BlockPlace place) {
    List<PageRun> runs = new ArrayList<>();
    for (PageRun run : pages.runs()) {
      BlockPlace at = run.place().inChunk() ? run.place() : place;
      runs.add(new PageRun(run.page(), run.pages(), run.write(), at, run.placePage()));
    }
    return new PageExtent(runs);
  }
}
