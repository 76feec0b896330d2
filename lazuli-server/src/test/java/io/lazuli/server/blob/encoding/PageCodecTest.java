package io.lazuli.server.blob.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.page.ExtentRange;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The records of page blobs, and the extents that they hold. */
class PageCodecTest {
  private static final BlockPlace RECORD = new BlockPlace(false, 7);
  private static final BlockPlace CHUNK = new BlockPlace(true, 9);

  @Test
  void anExtentIsStoredAsItsRuns() {
    PageExtent extent =
        PageExtent.EMPTY
            .with(new PageRun(120, 8, 2, CHUNK, 8_184))
            .with(new PageRun(0, 1, 1, RECORD, 0));
    byte[] record = PageCodec.encode(extent);
    assertThat(HexFormat.of().formatHex(record))
        .isEqualTo(
            "01"
                + "0002"
                + "00"
                + "01"
                + "0000000000000001"
                + "00"
                + "0000000000000007"
                + "0000"
                + "78"
                + "08"
                + "0000000000000002"
                + "01"
                + "0000000000000009"
                + "1ff8");
    assertThat(PageCodec.decodeExtent(record)).isEqualTo(extent);
    PageExtent whole = PageExtent.EMPTY.with(new PageRun(0, 128, 1, CHUNK, 3));
    assertThat(PageCodec.decodeExtent(PageCodec.encode(whole))).isEqualTo(whole);
  }

  @Test
  void aRangeIsThreeNumbers() {
    ExtentRange range = new ExtentRange(1, 2, 3);
    assertThat(PageCodec.decodeRange(PageCodec.encode(range))).isEqualTo(range);
    assertThat(PageCodec.encode(range)).hasSize(25);
  }

  @Test
  void aRunReplacesWhatWasAtItsPages() {
    PageExtent extent =
        PageExtent.EMPTY
            .with(new PageRun(10, 20, 1, RECORD, 0))
            .with(new PageRun(15, 5, 2, CHUNK, 4));
    assertThat(extent.runs())
        .isEqualTo(
            List.of(
                new PageRun(10, 5, 1, RECORD, 0),
                new PageRun(15, 5, 2, CHUNK, 4),
                new PageRun(20, 10, 1, RECORD, 10)));
    assertThat(extent.without(0, 128)).isEqualTo(PageExtent.EMPTY);
    assertThat(extent.without(12, 25).runs())
        .isEqualTo(List.of(new PageRun(10, 2, 1, RECORD, 0), new PageRun(25, 5, 1, RECORD, 15)));
    assertThat(extent.writes()).startsWith(-1, -1).contains(1, 2);
  }
}
