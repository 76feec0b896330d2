package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.faults.ForwardingEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Ends a server after each transaction of an operation that keeps former states, and checks what
 * another server finds: every state that was there before or after, and nothing that stays forever.
 * Engines make a single transaction all or nothing.
 */
class FormerStatesCrashTest {
  private static final long DAY = 24 * 60 * 60 * Ticks.PER_SECOND;
  private static final int SNAPSHOTS = 350;

  private final AtomicLong clock = new AtomicLong(Ticks.systemNow());

  /** An engine that fails before a given transaction and from then on. */
  private static final class EndingEngine extends ForwardingEngine {
    private int left;

    EndingEngine(StorageEngine engine, int transactions) {
      super(engine);
      this.left = transactions;
    }

    @Override
    public <R> CompletableFuture<R> transact(
        Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
      if (left == 0) {
        return CompletableFuture.failedFuture(
            new StorageException(StorageException.Kind.UNAVAILABLE, "the server was ended"));
      }
      left--;
      return super.transact(partition, touch, deadline, body);
    }
  }

  @Test
  void aReplacementIsKeptOrDidNotHappen() {
    endAfterEach(
        new BlobProtection(false, 7, false),
        blobs -> blobs.put("a", text("1")),
        blobs -> blobs.put("a", text("2")),
        blobs -> {
          String found = content(blobs);
          undelete(blobs);
          assertThat(blobs.properties("a").snapshots().count())
              .isEqualTo(found.equals("2") ? 1 : 0);
        });
  }

  @Test
  void aDeletionWithManySnapshotsLosesNone() {
    endAfterEach(
        new BlobProtection(false, 7, false),
        blobs -> {
          blobs.put("a", text("1"));
          for (int i = 0; i < SNAPSHOTS; i++) {
            blobs.snapshot("a");
          }
        },
        blobs -> blobs.delete("a", DeletedSnapshots.INCLUDE),
        blobs -> {
          undelete(blobs);
          assertThat(content(blobs)).isEqualTo("1");
          assertThat(blobs.properties("a").snapshots().count()).isEqualTo(SNAPSHOTS);
        });
  }

  @Test
  void aRestorationGoesOn() {
    endAfterEach(
        new BlobProtection(false, 7, false),
        blobs -> {
          blobs.put("a", text("1"));
          for (int i = 0; i < SNAPSHOTS; i++) {
            blobs.snapshot("a");
          }
          blobs.delete("a", DeletedSnapshots.INCLUDE);
        },
        FormerStatesCrashTest::undelete,
        blobs -> {
          undelete(blobs);
          assertThat(content(blobs)).isEqualTo("1");
          assertThat(blobs.properties("a").snapshots().count()).isEqualTo(SNAPSHOTS);
        });
  }

  @Test
  void aDeletedVersionIsThereOrCanBeRestored() {
    long[] version = new long[1];
    endAfterEach(
        new BlobProtection(true, 7, false),
        blobs -> {
          version[0] = blobs.put("a", text("1")).optional().versionTicks();
          blobs.put("a", text("2"));
        },
        blobs -> blobs.run(new DeleteVersion(at("a"), version[0], RequestTerms.NONE)),
        blobs -> {
          undelete(blobs);
          blobs.run(new DeleteVersion(at("a"), version[0], RequestTerms.NONE));
          blobs.delete("a", DeletedSnapshots.NOT_SAID);
          long last = blobs.put("a", text("3")).optional().versionTicks();
          assertThat(last).isGreaterThan(version[0]);
        });
  }

  /** Runs an operation on servers that end after 0, 1, 2 … transactions, until one is complete. */
  private void endAfterEach(
      BlobProtection protection,
      Consumer<BlobsUnderTest> before,
      Consumer<BlobsUnderTest> operation,
      Consumer<BlobsUnderTest> check) {
    Protections protections = (account, deadline) -> CompletableFuture.completedFuture(protection);
    boolean complete = false;
    for (int transactions = 0; !complete; transactions++) {
      try (StorageEngine engine =
          BlobsUnderTest.engine("memory", Path.of("unused"), clock::incrementAndGet)) {
        BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, protections);
        before.accept(blobs);
        EndingEngine ending = new EndingEngine(engine, transactions);
        BlobsUnderTest ended = new BlobsUnderTest(ending, protections);
        complete = BlobsUnderTest.refusal(() -> operation.accept(ended)) == null;
        BlobsUnderTest next = new BlobsUnderTest(engine, protections);
        BlobsUnderTest.round(next.collector());
        check.accept(next);
        expire(next);
      }
    }
  }

  /** Checks that nothing is left of a blob once all retentions are over. */
  private void expire(BlobsUnderTest blobs) {
    blobs.delete("a", DeletedSnapshots.INCLUDE);
    clock.addAndGet(8 * DAY);
    BlobsUnderTest.round(blobs.collector());
    blobs.clean();
    assertThat(blobs.rowKinds("a")).doesNotContain("x", "e", "s");
    assertThat(blobs.dueRemovals()).isZero();
  }

  private static void undelete(BlobsUnderTest blobs) {
    blobs.run(new UndeleteBlob(at("a")));
  }

  private static String content(BlobsUnderTest blobs) {
    return new String(blobs.get("a"), StandardCharsets.UTF_8);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
