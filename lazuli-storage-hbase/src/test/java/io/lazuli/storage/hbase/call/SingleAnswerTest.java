package io.lazuli.storage.hbase.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.call.ScanPages.Controller;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Which pages fit into one answer, and where the next page begins. Rows in capitals are deleted.
 */
class SingleAnswerTest {
  private static final Bytes EDGE = Bytes.of("m".getBytes(UTF_8));
  private static final PageConsumer.Limits LIMITS =
      new PageConsumer.Limits(3, 4 << 20, Long.MAX_VALUE);

  private final Controller controller = new Controller(null);
  private int hints;

  @Test
  void aScanThatEndsBeforeThePageIsFullIsComplete() {
    assertThat(page(answer(true, true, null), "a", "b")).isEqualTo("a b last");
    assertThat(page(answer(true, true, EDGE), "a", "b")).isEqualTo("a b from m");
    assertThat(page(answer(true, true, null), "a", "B")).isEqualTo("a last");
    assertThat(page(answer(true, true, null))).isEqualTo(" last");
  }

  @Test
  void aFullPageContinuesAfterItsLastRecord() {
    assertThat(page(answer(true, true, EDGE), "a", "b", "c")).isEqualTo("a b c more");
  }

  @Test
  void aSnapshotWithTombstonesInThePlaceOfRecordsIsReadAgain() {
    assertThat(page(answer(true, true, null), "a", "B", "c")).isEqualTo("unfit");
  }

  @Test
  void anyOtherPageContinuesAfterItsLastTombstone() {
    assertThat(page(answer(false, true, null), "a", "b", "C")).isEqualTo("a b from C\0");
    assertThat(page(answer(false, false, null), "c", "b", "A")).isEqualTo("c b from A");
    assertThat(page(answer(false, true, null), "A", "B", "C")).isEqualTo(" from C\0");
  }

  @Test
  void manyTombstonesAreRemembered() {
    page(answer(false, true, null), "a", "b");
    assertThat(hints).isZero();
    page(answer(false, true, null), "a", "B");
    assertThat(hints).isOne();
  }

  @Test
  void aSecondAnswerMakesThePageUnfit() {
    SingleAnswer answer = answer(true, true, null);
    answer.onNext(rows("a"), controller);
    assertThat(controller.isTerminated()).isFalse();
    answer.onNext(rows("b"), controller);
    assertThat(controller.isTerminated()).isTrue();
    assertThat(answer.page()).isCompletedWithValue(SingleAnswer.UNFIT);
  }

  @Test
  void aServerThatSearchesForLongMakesThePageUnfit() {
    SingleAnswer answer = answer(false, true, null);
    answer.onHeartbeat(controller);
    assertThat(controller.isTerminated()).isTrue();
    assertThat(answer.page()).isCompletedWithValue(SingleAnswer.UNFIT);
  }

  @Test
  void aPageEndsAtItsByteLimit() {
    SingleAnswer answer =
        new SingleAnswer(
            new PageConsumer.Limits(3, 10, Long.MAX_VALUE), true, true, null, () -> {});
    answer.onNext(rows("a"), controller);
    assertThat(controller.isTerminated()).isTrue();
    assertThat(text(answer)).isEqualTo("a more");
  }

  @Test
  void aScanEndsWhenItsPageIsCancelled() {
    SingleAnswer answer = answer(true, true, null);
    answer.page().cancel(false);
    answer.onNext(rows("a"), controller);
    assertThat(controller.isTerminated()).isTrue();
  }

  @Test
  void aHintEndsAfterAMinute() {
    long[] now = {-5};
    TombstoneHints remembered = new TombstoneHints(() -> now[0]);
    assertThat(remembered.areMany(7)).isFalse();
    remembered.note(7);
    assertThat(remembered.areMany(7)).isTrue();
    assertThat(remembered.areMany(8)).isFalse();
    now[0] += 60_000_000_000L;
    assertThat(remembered.areMany(7)).isFalse();
  }

  private SingleAnswer answer(boolean snapshot, boolean forward, @Nullable Bytes edge) {
    return new SingleAnswer(LIMITS, snapshot, forward, edge, () -> hints++);
  }

  private String page(SingleAnswer answer, String... rows) {
    answer.onNext(rows(rows), controller);
    answer.onComplete();
    return text(answer);
  }

  private static String text(SingleAnswer answer) {
    RegionScan.Page page = answer.page().join();
    if (page.equals(SingleAnswer.UNFIT)) {
      return "unfit";
    }
    return ScanPages.text(page);
  }

  private static Result[] rows(String... rows) {
    return Arrays.stream(rows)
        .map(SingleAnswerTest::cell)
        .map(cell -> Result.create(new Cell[] {cell}))
        .toArray(Result[]::new);
  }

  private static Cell cell(String row) {
    boolean deleted = Character.isUpperCase(row.charAt(0));
    byte[] value =
        deleted ? StoredCell.encodeTombstone(1, 1) : StoredCell.encode(1, 1, new byte[] {1});
    return new KeyValue(row.getBytes(UTF_8), StoreTable.FAMILY, StoreTable.QUALIFIER, value);
  }
}
