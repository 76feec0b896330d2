package io.lazuli.storage.hbase.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A file that is given up leaves nothing. The test controls the file system. */
@Timeout(30)
class ChunkFileWriterTest {
  private static final ChunkRef REF = ChunkDirectory.named(Space.number(SpaceKind.CHUNKS, 7));
  private static final byte[] PIECE = new byte[10];

  private final FakeFiles files = new FakeFiles();
  private final CountDownLatch free = new CountDownLatch(1);
  private FileThreads threads = new FileThreads(Runnable::run);

  @AfterEach
  void close() {
    free.countDown();
    threads.close();
  }

  @Test
  void aFileThatIsGivenUpIsRemovedOnce() {
    ChunkFileWriter writer = writer();
    writer.write(PIECE).join();
    assertThat(files.files()).isEqualTo(1);
    assertThat(writer.discard().join()).isTrue();
    assertThat(files.files()).isZero();
    assertThat(files.open).hasValue(0);
    assertThat(files.deletions).hasValue(1);
  }

  @Test
  void nothingIsRemovedIfNoFileWasRequested() {
    assertThat(writer().discard().join()).isTrue();
    assertThat(files.deletions).hasValue(0);
  }

  @Test
  void aFileWhoseCreationWasNotConfirmedIsRemovedAndTheHeaderStays() {
    files.afterCreate =
        () -> {
          throw new IOException("the answer was lost");
        };
    ChunkFileWriter writer = writer();
    assertUnavailable(writer.write(PIECE));
    assertThat(files.files()).isEqualTo(1);
    // A failure keeps the header, through which the collector finds a file that comes later.
    assertUnavailable(writer.discard());
    assertThat(files.files()).isZero();
  }

  @Test
  void aCreationThatTakesTooLongRemovesItsFile() {
    files.afterCreate = this::await;
    staysStuckAndIsRemovedLater();
  }

  @Test
  void aWriteThatTakesTooLongRemovesItsFile() {
    files.beforeWrite = this::await;
    staysStuckAndIsRemovedLater();
  }

  private void staysStuckAndIsRemovedLater() {
    threads.close();
    threads = new FileThreads(Runnable::run, Duration.ofMillis(50));
    ChunkFileWriter writer = writer();
    assertUnavailable(writer.write(PIECE));
    assertUnavailable(writer.discard());
    assertThat(files.files()).isEqualTo(1);
    free.countDown();
    Awaitility.await().until(() -> files.files() == 0 && files.open.get() == 0);
  }

  @Test
  void noFileIsCreatedAfterItWasGivenUp() {
    files.beforeWrite = this::await;
    ChunkFileWriter writer = writer();
    CompletableFuture<Boolean> underWay = writer.write(PIECE);
    Awaitility.await().until(() -> files.files() == 1);
    CompletableFuture<Boolean> waits = writer.write(PIECE);
    CompletableFuture<Boolean> discarded = writer.discard();
    free.countDown();
    assertThat(underWay.join()).isTrue();
    assertUnavailable(waits);
    assertThat(discarded.join()).isTrue();
    assertThat(files.files()).isZero();
    assertThat(files.open).hasValue(0);
  }

  private ChunkFileWriter writer() {
    return new ChunkFileWriter(files.folder(), threads, REF, true);
  }

  private void await() {
    try {
      free.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void assertUnavailable(CompletableFuture<Boolean> step) {
    assertThatThrownBy(step::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
  }
}
