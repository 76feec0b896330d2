package io.lazuli.storage.hbase.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The folder of chunks on a file system that the test controls. */
@Timeout(30)
class ChunkFolderTest {
  private final FakeFiles files = new FakeFiles();

  @Test
  void aFileSystemThatDoesNotEndDelaysTheCloseForALimitedTime() {
    CountDownLatch free = new CountDownLatch(1);
    files.beforeEnd =
        () -> {
          try {
            free.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    files.folder().close(Duration.ofMillis(50));
    assertThat(free.getCount()).isEqualTo(1);
    free.countDown();
  }
}
