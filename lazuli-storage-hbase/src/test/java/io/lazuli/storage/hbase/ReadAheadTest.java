package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.keys.KeyInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which pages are read ahead. The test controls the regions and the answers. */
class ReadAheadTest {
  private static final RecordTest LONG = new RecordTest(Bytes.EMPTY, 1_000, Long.MAX_VALUE);

  private final Pushdown limit = new Pushdown(Pushdown.Mode.ON);
  private final TreeSet<Bytes> borders = new TreeSet<>();
  private final List<Bytes> requested = new ArrayList<>();
  private final List<CompletableFuture<RegionScan.Page>> answers = new ArrayList<>();
  private final ReadAhead ahead = newScan();

  private ReadAhead newScan() {
    return new ReadAhead(
        limit,
        borders::higher,
        (intervals, test) -> {
          CompletableFuture<RegionScan.Page> answer = new CompletableFuture<>();
          requested.add(intervals.get(0).from());
          answers.add(answer);
          return answer;
        });
  }

  @Test
  void theNextRegionsAreReadAndTakenInOrder() {
    regions("c", "e", "g", "i", "k");
    ahead.extend(interval("a", "z"), LONG);
    assertThat(requested).containsExactly(bytes("c"), bytes("e"), bytes("g"));
    assertThat(ahead.take(bytes("c"))).isSameAs(answers.get(0));
    ahead.extend(interval("c", "z"), LONG);
    assertThat(requested).hasSize(4).endsWith(bytes("i"));
    assertThat(ahead.take(bytes("e"))).isSameAs(answers.get(1));
  }

  @Test
  void nothingIsReadAheadForAScanThatWillEndSoon() {
    regions("c", "e");
    ahead.extend(interval("a", "z"), new RecordTest(Bytes.EMPTY, 10, ReadAhead.RECORDS_MIN - 1));
    assertThat(requested).isEmpty();
  }

  @Test
  void nothingIsReadAfterTheEndOfTheScan() {
    regions("c", "e");
    ahead.extend(interval("a", "e"), LONG);
    assertThat(requested).containsExactly(bytes("c"));
  }

  /** Intervals begin after the border of their region. */
  @Test
  void regionsWithoutIntervalsAreLeftOut() {
    regions("c", "e", "g");
    List<KeyInterval> rest = List.of(between("a", "b"), between("f", "h"));
    ahead.extend(rest, LONG);
    assertThat(requested).containsExactly(bytes("f"), bytes("g"));
  }

  /** The first page of a region may end early; then the scan reads the rest of the region. */
  @Test
  void aPageThatTheScanHasNotReachedIsKept() {
    regions("c", "e");
    ahead.extend(interval("a", "z"), LONG);
    assertThat(ahead.take(bytes("b"))).isNull();
    assertThat(ahead.take(bytes("c"))).isNotNull();
  }

  @Test
  void aPageThatTheScanHasPassedIsDropped() {
    regions("c", "e");
    ahead.extend(interval("a", "z"), LONG);
    assertThat(ahead.take(bytes("d"))).isNull();
    assertThat(ahead.take(bytes("e"))).isSameAs(answers.get(1));
  }

  @Test
  void aPageThatFailedIsReadAgain() {
    regions("c", "e");
    ahead.extend(interval("a", "z"), LONG);
    RegionScan.Page second = new RegionScan.Page(List.of(), true, null, 0);
    CompletableFuture<RegionScan.Page> page =
        ahead.page(bytes("c"), () -> CompletableFuture.completedFuture(second));
    assertThat(page).isNotDone();
    answers.get(0).completeExceptionally(new IllegalStateException("the lane was full"));
    assertThat(page.join()).isSameAs(second);
    page = ahead.page(bytes("e"), () -> CompletableFuture.completedFuture(second));
    answers.get(1).complete(RegionScan.REFUSED);
    assertThat(page.join()).isSameAs(RegionScan.REFUSED);
  }

  @Test
  void pagesOfAllScansTogetherAreBounded() {
    regions("c", "e", "g", "i");
    for (int scan = 0; scan < 10; scan++) {
      newScan().extend(interval("a", "z"), LONG);
    }
    assertThat(requested).hasSize(Pushdown.AHEAD_MAX);
    assertThat(limit.aheadCount()).isEqualTo(Pushdown.AHEAD_MAX);
  }

  @Test
  void aPageCountsUntilItIsThereAndNobodyNeedsIt() {
    regions("c", "e");
    ahead.extend(interval("a", "z"), LONG);
    answers.get(0).complete(RegionScan.REFUSED);
    assertThat(limit.aheadCount()).isEqualTo(2);
    ahead.close();
    assertThat(limit.aheadCount()).isEqualTo(1);
    answers.get(1).completeExceptionally(new IllegalStateException("away"));
    assertThat(limit.aheadCount()).isZero();
  }

  private void regions(String... keys) {
    for (String key : keys) {
      borders.add(bytes(key));
    }
  }

  private static List<KeyInterval> interval(String from, String to) {
    return List.of(between(from, to));
  }

  private static KeyInterval between(String from, String to) {
    return new KeyInterval(bytes(from), bytes(to));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
