package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static io.lazuli.server.blob.service.BlobsUnderTest.latest;
import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.faults.FaultyEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Garbage of block lists and copies is found without a look at the other states of the blob. */
class EndedUploadTest {
  private static final Protections VERSIONS = keeping(new BlobProtection(true, 0, false));
  private static final int LARGE = 3 << 20;

  private final AtomicLong clock = new AtomicLong(Ticks.systemNow());
  private final FaultyEngine faulty =
      new FaultyEngine(BlobsUnderTest.engine("memory", Path.of("unused"), clock::incrementAndGet));
  private final CountingEngine engine = new CountingEngine(faulty);

  private static Protections keeping(BlobProtection protection) {
    return (account, deadline) -> CompletableFuture.completedFuture(protection);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void blockListsAndCopiesCostTheSameHoweverManyVersionsThereAre() {
    BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, VERSIONS);
    blobs.put("source", text("s"));
    int few = cost(blobs, 5);
    assertThat(cost(blobs, 500)).isEqualTo(few);
    assertThat(few).isLessThan(30);
  }

  /** Returns the number of records that are read for a block list and a copy. */
  private int cost(BlobsUnderTest blobs, int versions) {
    for (int i = 0; i < versions; i++) {
      blobs.put("a", text("v" + i));
    }
    blobs.clean();
    int before = engine.recordsRead();
    blobs.putBlock("a", "1", text("one"));
    blobs.putBlock("a", "2", text("two"));
    blobs.commit("a", List.of(latest("2")));
    blobs.clean();
    blobs.copy("source", null, "a");
    blobs.clean();
    int read = engine.recordsRead() - before;
    assertThat(blobs.rowKinds("a")).doesNotContain("u");
    return read;
  }

  @Test
  void onlyTheBlocksThatTheListNamesStay() {
    for (Protections protections : List.of(Protections.NONE, VERSIONS)) {
      String blob = protections == VERSIONS ? "v" : "n";
      BlobsUnderTest blobs =
          protections == VERSIONS
              ? new BlobsUnderTest(engine, protections)
              : BlobsUnderTest.protecting(engine, protections);
      for (int round = 0; round < 3; round++) {
        blobs.putBlock(blob, "1", bytes(LARGE, round));
        blobs.putBlock(blob, "2", bytes(LARGE, round + 10));
        blobs.putBlock(blob, "3", text("small"));
        blobs.commit(blob, List.of(latest("2")));
        blobs.clean();
        assertThat(blobs.get(blob)).isEqualTo(bytes(LARGE, round + 10));
        assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
        assertThat(blobs.rowKinds(blob)).doesNotContain("u", "d");
      }
      BlobsUnderTest.round(blobs.collector());
      assertThat(blobs.get(blob)).isEqualTo(bytes(LARGE, 12));
    }
  }

  /** The list may be gone before its upload is swept; other content may have taken its blocks. */
  @Test
  void blocksOfAListThatWasReplacedAreFoundByAFullLook() {
    BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, Protections.NONE);
    blobs.putBlock("a", "1", bytes(LARGE, 1));
    blobs.putBlock("a", "2", bytes(LARGE, 2));
    blobs.commit("a", List.of(latest("1")));
    blobs.putBlock("a", "3", bytes(LARGE, 3));
    blobs.commit("a", List.of(latest("1"), latest("3")));
    blobs.clean();
    assertThat(blobs.get("a")).hasSize(2 * LARGE).startsWith(bytes(LARGE, 1));
    assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks()).hasSize(2);
    assertThat(blobs.rowKinds("a")).doesNotContain("u");
  }

  @Test
  void afterAFailureAFullRoundFindsTheRest() {
    BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, VERSIONS);
    blobs.putBlock("a", "1", bytes(LARGE, 1));
    blobs.putBlock("a", "2", bytes(LARGE, 2));
    blobs.commit("a", List.of(latest("2")));
    faulty.failNext(FaultyEngine.Call.TRANSACT, StorageException.Kind.UNAVAILABLE);
    try {
      blobs.clean();
    } catch (StorageException e) {
      assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE);
    }
    faulty.failNoMore();
    assertThat(blobs.rowKinds("a")).contains("u");
    BlobsUnderTest.round(blobs.collector());
    assertThat(blobs.rowKinds("a")).doesNotContain("u");
    assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks()).hasSize(1);
    assertThat(blobs.get("a")).isEqualTo(bytes(LARGE, 2));
  }
}
