package io.lazuli.server.blob.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlockId;
import io.lazuli.storage.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlobRowsTest {
  private static final BlockId ID = BlockId.requireParameter("QUFB");

  @Test
  void rowsAreWhatTheDocumentSays() {
    assertThat(BlobRows.PROPERTIES).hasToString("70");
    assertThat(BlobRows.snapshot(0x0102)).hasToString("73" + "0000000000000102");
    assertThat(BlobRows.segment(1, 2)).hasToString("6c" + "0000000000000001" + "0000000000000002");
    assertThat(BlobRows.uncommitted(3, ID)).hasToString("75" + "0000000000000003" + "414141");
    assertThat(BlobRows.bytes(4)).hasToString("64" + "0000000000000004");
    assertThat(BlobRows.goneChunk(5)).hasToString("67" + "0000000000000005");
  }

  @Test
  void aRowKeyNamesItsParts() {
    assertThat(BlobRows.snapshotTicks(BlobRows.snapshot(77))).isEqualTo(77);
    assertThat(BlobRows.segmentVersion(BlobRows.segment(7, 1L << 40))).isEqualTo(7);
    assertThat(BlobRows.segmentStart(BlobRows.segment(7, 1L << 40))).isEqualTo(1L << 40);
    assertThat(BlobRows.blockId(BlobRows.uncommitted(3, ID))).isEqualTo(ID);
  }

  @Test
  void rowsOfAKindLieTogetherInTheOrderOfTheirNumbers() {
    List<Bytes> rows =
        List.of(
            BlobRows.bytes(Long.MAX_VALUE),
            BlobRows.goneChunk(1),
            BlobRows.segments(1),
            BlobRows.segment(1, 0),
            BlobRows.segment(1, 255),
            BlobRows.segment(1, 256),
            BlobRows.segmentsEnd(1),
            BlobRows.segment(2, 0),
            BlobRows.PROPERTIES,
            BlobRows.SNAPSHOTS,
            BlobRows.snapshot(1),
            BlobRows.snapshot(256),
            BlobRows.SNAPSHOTS_END,
            BlobRows.upload(5),
            BlobRows.uncommitted(5, ID),
            BlobRows.uncommitted(5, BlockId.requireParameter("QUFC")),
            BlobRows.uploadEnd(5),
            BlobRows.uncommitted(6, ID));
    assertThat(rows).isSorted();
    assertThat(rows).doesNotHaveDuplicates();
  }
}
