package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.page.ExtentRange;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of the rows of page blobs: {@code e} (extents), {@code c}, {@code n} and {@code k}.
 */
public final class PageCodec {
  private static final int VERSION = 1;

  private PageCodec() {}

  public static byte[] encode(PageExtent extent) {
    RecordOutput out = new RecordOutput(VERSION).writeShort(extent.runs().size());
    for (PageRun run : extent.runs()) {
      out.writeByte(run.page()).writeByte(run.pages()).writeLong(run.write());
      BlockSegmentCodec.writePlace(run.place(), out);
      out.writeShort(run.placePage());
    }
    return out.finish();
  }

  public static PageExtent decodeExtent(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    List<PageRun> runs = new ArrayList<>();
    for (int left = in.readShort(); left > 0; left--) {
      runs.add(
          new PageRun(
              in.readByte() & 0xff,
              in.readByte() & 0xff,
              in.readLong(),
              BlockSegmentCodec.readPlace(in),
              in.readShort()));
    }
    return in.finish(new PageExtent(runs));
  }

  public static byte[] encode(ExtentRange range) {
    return new RecordOutput(VERSION)
        .writeLong(range.version())
        .writeLong(range.from())
        .writeLong(range.to())
        .finish();
  }

  public static ExtentRange decodeRange(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    return in.finish(new ExtentRange(in.readLong(), in.readLong(), in.readLong()));
  }

  /** Returns the value of the mark of a chunk that holds pages. */
  public static byte[] chunkMark() {
    return new RecordOutput(VERSION).finish();
  }
}
