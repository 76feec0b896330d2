package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.error.Invariant;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.List;

/**
 * Writes segments of a block list that no properties name yet. The first of several such
 * transactions takes a version; it holds the segment at offset 0, which says that the version is
 * taken. The result is the version.
 *
 * @param version 0 to take one
 */
public record SegmentsBody(long version, List<BlockList.Segment> segments)
    implements TransactionBody<Long> {
  /** Segments of one transaction: below a megabyte, so that the lane is not held up. */
  public static final int SEGMENTS_MAX = 10;

  /** About what a block with a long id takes. */
  private static final int BLOCK_BYTES = 82;

  public SegmentsBody {
    Invariant.check(segments.size() <= SEGMENTS_MAX, "too many segments in a transaction");
  }

  @Override
  public Long run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    long taken = version == 0 ? view.newVersion(view.newTicks(), view.find()) : version;
    for (BlockList.Segment segment : segments) {
      view.putSegment(taken, segment.start(), segment.blocks());
    }
    return taken;
  }

  @Override
  public long weightBytes() {
    return segments.stream().map(BlockList.Segment::blocks).mapToLong(List<Block>::size).sum()
        * BLOCK_BYTES;
  }
}
