package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.error.Invariant;
import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.List;

/** The values of the rows {@code l}: up to 1,000 blocks of a version's block list, in order. */
public final class BlockSegmentCodec {
  private static final int VERSION = 1;

  private BlockSegmentCodec() {}

  public static byte[] encode(List<Block> blocks) {
    Invariant.check(blocks.size() <= BlobLimits.SEGMENT_BLOCKS_MAX, "too many blocks in a segment");
    RecordOutput out = new RecordOutput(VERSION).writeShort(blocks.size());
    for (Block block : blocks) {
      byte[] id = block.id().bytes().array();
      out.writeByte(id.length).writeBytes(id).writeLong(block.length());
      writePlace(block.place(), out);
    }
    return out.finish();
  }

  public static List<Block> decode(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    List<Block> blocks = new ArrayList<>();
    for (int left = in.readShort(); left > 0; left--) {
      BlockId id = new BlockId(Bytes.of(in.readBytes(in.readByte() & 0xff)));
      blocks.add(new Block(id, in.readLong(), readPlace(in)));
    }
    return in.finish(blocks);
  }

  static void writePlace(BlockPlace place, RecordOutput out) {
    out.writeBoolean(place.inChunk()).writeLong(place.number());
  }

  static BlockPlace readPlace(RecordInput in) {
    return new BlockPlace(in.readBoolean(), in.readLong());
  }
}
