package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.error.Invariant;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.List;

/**
 * Writes segments of a block list that no properties name yet. A long list takes several of these
 * transactions. The first one chooses the version and writes the segment at offset 0, which marks
 * the version as taken. The result is the version.
 *
 * @param version the version that the first transaction chose; 0 in the first one
 */
public record SegmentsBody(long version, List<BlockList.Segment> segments)
    implements TransactionBody<Long> {
  /**
   * The maximum number of segments in one transaction: less than a megabyte, so that it does not
   * hold up the commit lane.
   */
  public static final int SEGMENTS_MAX = 10;

  /** The approximate size of a block with a long id. */
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
