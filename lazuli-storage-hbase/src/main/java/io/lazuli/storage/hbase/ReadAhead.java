package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.keys.KeyInterval;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first pages of the next regions of a scan while the current region is searched. The
 * scan takes them in the order of their keys, so its result is the same as without them. A page
 * that the scan does not reach is discarded. Used by one thread at a time.
 */
final class ReadAhead {
  /** The number of regions that one scan searches besides the current one. */
  static final int REGIONS_MAX = 3;

  /** The size of a page, so that all pages of a server together are bounded. */
  static final long PAGE_BYTES_MAX = 1L << 20;

  /** A scan that will probably end sooner reads nothing ahead. */
  static final long RECORDS_MIN = 20_000;

  /**
   * A page that was requested.
   *
   * @param from where the page begins
   */
  private record Ahead(Bytes from, CompletableFuture<RegionScan.Page> page) {}

  private final Pushdown limit;
  private final Function<Bytes, @Nullable Bytes> knownEnd;
  private final BiFunction<List<KeyInterval>, RecordTest, CompletableFuture<RegionScan.Page>>
      search;
  private final Deque<Ahead> pages = new ArrayDeque<>();

  /**
   * @param knownEnd returns the first key after the region of a key; null if it is not known, or
   *     there is none
   * @param search reads a page of the region in which the first interval begins
   */
  ReadAhead(
      Pushdown limit,
      Function<Bytes, @Nullable Bytes> knownEnd,
      BiFunction<List<KeyInterval>, RecordTest, CompletableFuture<RegionScan.Page>> search) {
    this.limit = limit;
    this.knownEnd = knownEnd;
    this.search = search;
  }

  /**
   * Returns the page that begins at a key. If it was requested ahead, no other page is read, unless
   * the request has failed: it may have found the lane full, which says nothing about the scan.
   *
   * @param search reads the page
   */
  CompletableFuture<RegionScan.Page> page(
      Bytes from, Supplier<CompletableFuture<RegionScan.Page>> search) {
    CompletableFuture<RegionScan.Page> requested = take(from);
    return requested == null ? search.get() : Steps.rescue(requested, failure -> search.get());
  }

  /** Returns the page that begins at a key; null if it was not requested. */
  @Nullable CompletableFuture<RegionScan.Page> take(Bytes from) {
    Ahead first = pages.peek();
    while (first != null && first.from.compareTo(from) < 0) {
      release(pages.remove());
      first = pages.peek();
    }
    if (first == null || !first.from.equals(from)) {
      return null;
    }
    release(pages.remove());
    return first.page;
  }

  /**
   * Requests pages of the regions after those that were requested, as far as the limits allow.
   *
   * @param rest what is left of the scan, beginning in the region that is searched now
   */
  void extend(List<KeyInterval> rest, RecordTest test) {
    if (test.recordsExpected() < RECORDS_MIN) {
      return;
    }
    Ahead last = pages.peekLast();
    Bytes from = last == null ? rest.get(0).from() : last.from;
    while (pages.size() < REGIONS_MAX) {
      Bytes end = knownEnd.apply(from);
      List<KeyInterval> next = end == null ? List.of() : after(rest, end);
      if (next.isEmpty() || !limit.tryAhead()) {
        return;
      }
      from = next.get(0).from();
      pages.add(new Ahead(from, search.apply(next, test)));
    }
  }

  /** Discards all pages. */
  void close() {
    pages.forEach(this::release);
    pages.clear();
  }

  /** A page that nobody waits for counts until it is there. */
  private void release(Ahead ahead) {
    CompletableFuture<RegionScan.Page> unused =
        ahead.page.whenComplete((page, failure) -> limit.endAhead());
  }

  private static List<KeyInterval> after(List<KeyInterval> rest, Bytes key) {
    return rest.stream()
        .map(interval -> interval.from(key))
        .filter(interval -> !interval.isEmpty())
        .toList();
  }
}
