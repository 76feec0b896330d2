package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Blobs of an account that protects them as a test says, and a clock that the test moves. */
abstract class ProtectedBlobs {
  final AtomicLong clock = new AtomicLong(Ticks.systemNow());
  volatile BlobProtection protection = BlobProtection.NONE;
  final StorageEngine engine =
      BlobsUnderTest.engine("memory", Path.of("unused"), clock::incrementAndGet);
  final BlobsUnderTest blobs =
      BlobsUnderTest.protecting(
          engine, (account, deadline) -> CompletableFuture.completedFuture(protection));

  /**
   * @param first how the account protects its blobs at first
   */
  ProtectedBlobs(BlobProtection first) {
    this.protection = first;
  }

  @AfterEach
  void close() {
    engine.close();
  }

  final void undelete(String blob) {
    blobs.run(new UndeleteBlob(at(blob)));
  }

  final List<ListedBlob> items(int max, boolean snapshots, FormerStates former) {
    return items(blobs, max, snapshots, former);
  }

  /** Lists all states, in pages of the given size. */
  static List<ListedBlob> items(
      BlobsUnderTest blobs, int max, boolean snapshots, FormerStates former) {
    List<ListedBlob> items = new ArrayList<>();
    @Nullable ListMarker marker = null;
    do {
      BlobPage page = page(blobs, marker, max, snapshots, former);
      page.items().forEach(item -> items.add((ListedBlob) item));
      marker = page.next();
    } while (marker != null);
    return items;
  }

  /** Lists one page of states. */
  static BlobPage page(
      BlobsUnderTest blobs,
      @Nullable ListMarker marker,
      int max,
      boolean snapshots,
      FormerStates former) {
    return (BlobPage)
        blobs.run(
            new ListBlobs(
                BlobsUnderTest.CONTAINER,
                "",
                NameBounds.NONE,
                "",
                marker,
                max,
                snapshots,
                false,
                former));
  }

  static void assertRefused(String code, Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            ServiceException.class, e -> assertThat(e.error().code()).isEqualTo(code));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
