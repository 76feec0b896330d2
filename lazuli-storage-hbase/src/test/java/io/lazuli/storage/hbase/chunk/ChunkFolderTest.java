package io.lazuli.storage.hbase.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The folder of chunks on a file system that the test controls. */
@Timeout(30)
class ChunkFolderTest {
  private final FakeFiles files = new FakeFiles();

  @Test
  void onlyTheUserOfLazuliCanReadTheFiles() throws IOException {
    ChunkFolder folder = files.folder().of("store");
    folder.make();
    folder.create(ChunkDirectory.named(Space.number(SpaceKind.CHUNKS, 7)), true).close();
    assertThat(files.present).containsEntry(new Path("/chunks/store"), permission(0700));
    assertThat(files.present.values()).containsOnlyOnce(permission(0600)).hasSize(2);
  }

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

  private static FsPermission permission(int bits) {
    return new FsPermission((short) bits);
  }
}
