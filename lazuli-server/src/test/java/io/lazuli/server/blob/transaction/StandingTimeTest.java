package io.lazuli.server.blob.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Numbers stay unique even if an engine gives the same timestamp to two transactions. */
class StandingTimeTest {
  private static final long TICKS = 100;
  private static final BlobTerms TERMS = new BlobTerms(Conditions.NONE, null, TICKS);

  private final StandingView view = new StandingView();

  @Test
  void snapshotsGetTimesOfTheirOwn() {
    TestBlob.putBody(TERMS, BlobType.BLOCK, "a").run(view);
    assertThat(new SnapshotBody(TERMS, null).run(view).orThrow().ticks()).isEqualTo(TICKS);
    assertThat(new SnapshotBody(TERMS, null).run(view).orThrow().ticks()).isEqualTo(TICKS + 1);
  }

  @Test
  void segmentsDoNotTakeTheVersionOfAnEmptyBlob() {
    TestBlob.putBody(TERMS, BlobType.APPEND, "").run(view);
    BlockList list = BlockList.of(List.of(new Block(BlockId.NONE, 1, new BlockPlace(true, 1))));
    assertThat(new SegmentsBody(0, list.segments()).run(view)).isEqualTo(TICKS + 1);
    assertThat(new SegmentsBody(0, list.segments()).run(view)).isEqualTo(TICKS + 2);
  }

  @Test
  void bytesGetRecordsOfTheirOwn() {
    for (String id : List.of("1", "2", "3")) {
      NewContent content = NewContent.ofBytes(new byte[] {1});
      new PutBlockBody(null, TICKS, true, new BlockId(TestBlob.text(id)), content).run(view);
    }
    assertThat(view.rows)
        .containsKeys(BlobRows.bytes(TICKS), BlobRows.bytes(TICKS + 1), BlobRows.bytes(TICKS + 2));
  }

  /** A partition whose clock does not move. */
  private static final class StandingView implements PartitionView {
    private final TreeMap<Bytes, byte[]> rows = new TreeMap<>();

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public byte @Nullable [] read(Bytes row) {
      return rows.get(row);
    }

    @Override
    public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
      Map<Bytes, byte[]> shown = to == null ? rows.tailMap(from) : rows.subMap(from, to);
      shown.forEach(visitor::visit);
    }

    @Override
    public void put(Bytes row, byte[] value) {
      rows.put(row, value);
    }

    @Override
    public void delete(Bytes row) {
      rows.remove(row);
    }

    @Override
    public long timestamp(Bytes row) {
      return TICKS;
    }

    @Override
    public void drop(Space space) {
      throw new IllegalStateException("blobs drop no space");
    }
  }
}
