package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.search;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlobs;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches a million tagged blobs for ten of them, and counts the records that this reads. */
class BlobSearchScaleTest {
  /** A smaller number for a quick look: {@code -Dlazuli.test.taggedBlobs=20000}. */
  private static final int BLOBS = Integer.getInteger("lazuli.test.taggedBlobs", 1_000_000);

  private static final int AT_ONCE = 500;

  @TempDir private Path folder;

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void tenOfAMillionBlobsCostTen() {
    try (StorageEngine engine = BlobsUnderTest.engine("rocksdb", folder, Ticks::systemNow)) {
      CountingEngine counting = new CountingEngine(engine);
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(counting);
      for (int from = 0; from < BLOBS; from += AT_ONCE) {
        putSome(blobs, from);
      }
      for (String where :
          List.of("kind='rare'", "all='1' AND kind='rare'", "kind>='rare' AND kind<'rarf'")) {
        int before = counting.recordsRead();
        FoundBlobs page = (FoundBlobs) blobs.run(search(where, null, 10));
        assertThat(page.blobs()).hasSize(10);
        int read = counting.recordsRead() - before;
        System.out.printf("%d blobs, %s: %d records%n", BLOBS, where, read);
        assertThat(read).as(where).isLessThan(40);
      }
    }
  }

  /** Puts blobs at the same time. Ten of all blobs, evenly spread, are rare. */
  private static void putSome(BlobsUnderTest blobs, int from) {
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = from; i < Math.min(BLOBS, from + AT_ONCE); i++) {
      boolean rare = i % (BLOBS / 10) == 0;
      Map<String, String> tags = Map.of("all", "1", "kind", rare ? "rare" : "common" + i % 100);
      BlobSettings settings =
          new BlobSettings(HttpProperties.NONE, Map.of(), new BlobTags(tags), null);
      PutBlob put =
          new PutBlob(
              at(String.format("blob%07d", i)),
              BlobType.BLOCK,
              settings,
              RequestTerms.NONE,
              0,
              BlobsUnderTest.ANY);
      Deadline deadline = Deadline.after(Duration.ofMinutes(1));
      puts.add(
          blobs
              .service()
              .upload(put, BlobsUnderTest.OWNER, deadline)
              .thenCompose(upload -> upload.end(deadline))
              .toCompletableFuture());
    }
    CompletableFuture.allOf(puts.toArray(CompletableFuture<?>[]::new)).join();
  }
}
