package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.UncommittedBlock;

/** The values of the rows {@code u}: the place, the length and the time of an uncommitted block. */
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
