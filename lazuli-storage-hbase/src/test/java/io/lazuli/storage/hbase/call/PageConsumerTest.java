package io.lazuli.storage.hbase.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.call.ScanPages.Controller;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where a page of a scan ends and the next one begins. The test controls the time. */
class PageConsumerTest {
  private static final Duration PAGE_TIME = Duration.ofSeconds(1);
  private static final Bytes EDGE = bytes("m");

  private long nanos;
  private final ScanMetrics metrics = new ScanMetrics();

  @Test
  void aPageIsTheLastIfTheScanEndsBeforeItIsFull() {
    PageConsumer consumer = shortPage(true, null);
    consumer.onNext(rows("a", "b"), new Controller(null));
    consumer.onComplete();
    assertThat(page(consumer)).isEqualTo("a b last");
  }

  @Test
  void aPageThatEndsWithItsRegionContinuesInTheNext() {
    PageConsumer consumer = shortPage(true, EDGE);
    consumer.onNext(rows("a"), new Controller(null));
    consumer.onComplete();
    assertThat(page(consumer)).isEqualTo("a from m");
  }

  @Test
  void aFullPageContinuesAfterItsLastRecord() {
    PageConsumer consumer = shortPage(true, EDGE);
    consumer.onNext(rows("a", "b", "c"), new Controller(null));
    consumer.onComplete();
    assertThat(page(consumer)).isEqualTo("a b c more");
  }

  @Test
  void aPageEndsAtItsByteLimit() {
    PageConsumer consumer =
        new PageConsumer(
            new PageConsumer.Limits(3, 10, Long.MAX_VALUE), true, true, null, () -> nanos);
    Controller controller = new Controller(null);
    consumer.onNext(rows("a"), controller);
    assertThat(controller.isTerminated()).isTrue();
    assertThat(page(consumer)).isEqualTo("a more");
  }

  @Test
  void aPageEndsAtTheServersCursorWhenItsTimeIsUp() {
    PageConsumer consumer = shortPage(true, null);
    Controller early = new Controller("e");
    consumer.onHeartbeat(early);
    assertThat(early.isTerminated()).isFalse();
    nanos += PAGE_TIME.toNanos();
    Controller late = new Controller("g");
    consumer.onHeartbeat(late);
    assertThat(late.isTerminated()).isTrue();
    assertThat(page(consumer)).isEqualTo(" from g");
  }

  @Test
  void backwardTheRowOfTheCursorIsStillToBeRead() {
    PageConsumer consumer = shortPage(false, null);
    nanos += PAGE_TIME.toNanos();
    consumer.onHeartbeat(new Controller("g"));
    assertThat(page(consumer)).isEqualTo(" from g\0");
  }

  @Test
  void aPageWithoutACursorContinuesWhenItsTimeIsUp() {
    PageConsumer consumer = shortPage(true, null);
    nanos += PAGE_TIME.toNanos();
    Controller controller = new Controller(null);
    consumer.onHeartbeat(controller);
    assertThat(controller.isTerminated()).isFalse();
    assertThat(consumer.page()).isNotDone();
  }

  @Test
  void aSnapshotPageContinuesOverManyCallsOfOneScanner() {
    PageConsumer consumer = snapshot();
    for (int call = 0; call < 20; call++) {
      nanos += PAGE_TIME.toNanos();
      consumer.onHeartbeat(new Controller("e"));
    }
    consumer.onNext(rows("f"), new Controller(null));
    nanos += PAGE_TIME.toNanos();
    consumer.onNext(rows("g"), new Controller("h"));
    consumer.onComplete();
    assertThat(page(consumer)).isEqualTo("f g last");
  }

  @Test
  void rowsOfTwoScannersAreNotASnapshotPage() {
    PageConsumer consumer = snapshot();
    consumer.onNext(rows("a"), new Controller(null));
    metrics.countOfRegions.incrementAndGet();
    consumer.onNext(rows("b"), new Controller(null));
    consumer.onComplete();
    assertThat(consumer.page()).isCompletedExceptionally();
  }

  @Test
  void aScanEndsWhenItsPageIsCancelled() {
    PageConsumer consumer = snapshot();
    consumer.page().cancel(false);
    Controller found = new Controller(null);
    consumer.onNext(rows("a"), found);
    Controller beat = new Controller("b");
    consumer.onHeartbeat(beat);
    assertThat(found.isTerminated()).isTrue();
    assertThat(beat.isTerminated()).isTrue();
  }

  private PageConsumer shortPage(boolean forward, @Nullable Bytes edge) {
    return pending(
        new PageConsumer(
            new PageConsumer.Limits(3, 4 << 20, PAGE_TIME.toNanos()),
            false,
            forward,
            edge,
            () -> nanos));
  }

  private PageConsumer snapshot() {
    return pending(
        new PageConsumer(
            new PageConsumer.Limits(3, 4 << 20, Long.MAX_VALUE), true, true, null, () -> nanos));
  }

  private PageConsumer pending(PageConsumer consumer) {
    consumer.onScanMetricsCreated(metrics);
    metrics.countOfRegions.incrementAndGet();
    return consumer;
  }

  private static String page(PageConsumer consumer) {
    return ScanPages.text(consumer.page().join());
  }

  private static Result[] rows(String... rows) {
    return Arrays.stream(rows)
        .map(row -> new KeyValue(bytes(row).array(), StoreTable.FAMILY, StoreTable.QUALIFIER))
        .map(cell -> Result.create(new Cell[] {cell}))
        .toArray(Result[]::new);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }
}
