package io.lazuli.storage.rocksdb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectBlocksTest {
  @TempDir private Path folder;

  /** On a disk without direct writes, {@code whole} is zero and the test still holds. */
  @Test
  void afterAFailureItIsTriedAgainLater() throws IOException {
    Path file = Files.createFile(folder.resolve("chunk"));
    int whole = new DirectBlocks().write(file, ByteBuffer.allocate(1 << 20), FileChannel::write);
    DirectBlocks blocks = new DirectBlocks();
    assertThat(blocks.write(file, ByteBuffer.allocate(1 << 20), DirectBlocksTest::full)).isZero();
    for (int i = 0; i < DirectBlocks.SKIPPED_AFTER_FAILURE; i++) {
      assertThat(blocks.write(file, ByteBuffer.allocate(1), FileChannel::write)).isZero();
    }
    assertThat(blocks.write(file, ByteBuffer.allocate(1 << 20), FileChannel::write))
        .isEqualTo(whole);
  }

  private static void full(FileChannel channel, ByteBuffer bytes) throws IOException {
    throw new IOException("No space left on device");
  }
}
