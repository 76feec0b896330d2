package io.lazuli.storage.hbase.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that wait for the file system of the chunks. */
@Timeout(30)
class FileThreadsTest {
  private static final Executor AT_ONCE = Runnable::run;

  private final FileThreads threads = new FileThreads(AT_ONCE);
  private final CountDownLatch free = new CountDownLatch(1);

  @AfterEach
  void close() {
    free.countDown();
    threads.close();
  }

  @Test
  void oneWriterTooManyIsRefusedUntilAThreadIsFree() {
    List<CompletableFuture<Boolean>> stuck = new ArrayList<>();
    for (int i = 0; i < FileThreads.WRITERS_MAX; i++) {
      stuck.add(threads.write(this::stuck));
    }
    assertKind(Kind.UNAVAILABLE, () -> threads.write(() -> true).join());
    // Readers have threads of their own.
    assertThat(threads.read(() -> 1).join()).isEqualTo(1);
    free.countDown();
    stuck.forEach(each -> assertThat(each.join()).isTrue());
    assertThat(threads.write(() -> 2).join()).isEqualTo(2);
  }

  @Test
  void readsWaitUpToALimit() {
    int most = FileThreads.READERS_MAX + FileThreads.WAITING_READS_MAX;
    List<CompletableFuture<Boolean>> stuck = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      stuck.add(threads.read(this::stuck));
    }
    assertKind(Kind.UNAVAILABLE, () -> threads.read(() -> true).join());
    assertThat(threads.write(() -> 1).join()).isEqualTo(1);
    free.countDown();
    stuck.forEach(each -> assertThat(each.join()).isTrue());
  }

  @Test
  void aFailureOfTheFileSystemIsNotAFailureOfTheStore() {
    assertKind(
        Kind.UNAVAILABLE,
        () ->
            threads
                .read(
                    () -> {
                      throw new IOException("no data node");
                    })
                .join());
    assertKind(
        Kind.CORRUPT,
        () ->
            threads
                .read(
                    () -> {
                      throw new StorageException(Kind.CORRUPT, "damaged");
                    })
                .join());
  }

  @Test
  void nothingBeginsAfterTheClose() {
    CompletableFuture<Boolean> interrupted = threads.write(this::stuck);
    threads.close();
    assertKind(Kind.CLOSED, () -> threads.write(() -> true).join());
    assertKind(Kind.CLOSED, () -> threads.read(() -> true).join());
    assertKind(Kind.UNAVAILABLE, interrupted::join);
  }

  private boolean stuck() throws IOException {
    try {
      free.await();
      return true;
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  private static void assertKind(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
