package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobOutcome.ListedItem;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lists a million versions of one blob, and counts the records that each page reads. */
class VersionsScaleTest {
  /** A smaller number for a quick look: {@code -Dlazuli.test.versions=20000}. */
  private static final int VERSIONS = Integer.getInteger("lazuli.test.versions", 1_000_000);

  private static final int AT_ONCE = 500;
  private static final int PAGE = 5_000;

  @TempDir private Path folder;

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void everyPageOfAMillionVersionsCostsTheSame() {
    BlobProtection versions = new BlobProtection(true, 0, false);
    try (StorageEngine engine = BlobsUnderTest.engine("rocksdb", folder, Ticks::systemNow)) {
      CountingEngine counting = new CountingEngine(engine);
      BlobsUnderTest blobs =
          BlobsUnderTest.protecting(
              counting, (account, deadline) -> CompletableFuture.completedFuture(versions));
      for (int put = 0; put < VERSIONS; put += AT_ONCE) {
        putSome(blobs);
      }
      List<Integer> costs = costsOfPages(blobs, counting);
      assertThat(costs).hasSize(VERSIONS / PAGE);
      System.out.printf(
          "%d versions, pages of %d: between %d and %d records%n",
          VERSIONS,
          PAGE,
          costs.stream().min(Integer::compare).orElseThrow(),
          costs.stream().max(Integer::compare).orElseThrow());
      assertThat(costs).allMatch(cost -> cost < PAGE + 20);
    }
  }

  /** Puts versions of the blob at the same time. */
  private static void putSome(BlobsUnderTest blobs) {
    Deadline deadline = Deadline.after(Duration.ofMinutes(1));
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      puts.add(
          blobs
              .service()
              .upload(
                  BlobsUnderTest.putBlob("a", BlobType.BLOCK, 0, RequestTerms.NONE),
                  BlobsUnderTest.OWNER,
                  deadline)
              .thenCompose(upload -> upload.end(deadline))
              .toCompletableFuture());
    }
    CompletableFuture.allOf(puts.toArray(CompletableFuture<?>[]::new)).join();
  }

  /** Lists all versions, checks their order, and returns the numbers of records read. */
  private static List<Integer> costsOfPages(BlobsUnderTest blobs, CountingEngine counting) {
    List<Integer> costs = new ArrayList<>();
    @Nullable ListMarker marker = null;
    long last = 0;
    int seen = 0;
    do {
      int before = counting.recordsRead();
      BlobPage page =
          ProtectedBlobs.page(blobs, marker, PAGE, false, new FormerStates(false, true, false));
      costs.add(counting.recordsRead() - before);
      for (ListedItem item : page.items()) {
        long version = ((ListedBlob) item).properties().optional().versionTicks();
        assertThat(version).isGreaterThan(last);
        last = version;
        seen++;
      }
      marker = page.next();
    } while (marker != null);
    assertThat(seen).isEqualTo(VERSIONS);
    return costs;
  }
}
