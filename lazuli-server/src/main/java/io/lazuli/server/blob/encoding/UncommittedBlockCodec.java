package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.UncommittedBlock;

/** The rows {@code u}: where an uncommitted block is, how long, and since when. */
public final class UncommittedBlockCodec {
  private static final int VERSION = 1;

  private UncommittedBlockCodec() {}

  public static byte[] encode(UncommittedBlock block) {
    RecordOutput out = new RecordOutput(VERSION);
    BlockSegmentCodec.writePlace(block.place(), out);
    return out.writeLong(block.length()).writeLong(block.putTicks()).finish();
  }

  public static UncommittedBlock decode(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    return in.finish(
        new UncommittedBlock(BlockSegmentCodec.readPlace(in), in.readLong(), in.readLong()));
  }
}
