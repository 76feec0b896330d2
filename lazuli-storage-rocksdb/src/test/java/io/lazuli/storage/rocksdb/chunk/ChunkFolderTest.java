package io.lazuli.storage.rocksdb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Durability;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChunkFolderTest {
  @TempDir Path root;

  @Test
  void whereThereAreNoLinksACopyIsAFileOfItsOwn() throws IOException {
    ChunkFolder files = new ChunkFolder(root, Durability.DISK);
    files.prepare();
    ChunkRef ref = new ChunkRef(Space.number(SpaceKind.CHUNKS, 5 << 20 | 7 << 10));
    ChunkRef copy = new ChunkRef(Space.number(SpaceKind.CHUNKS, 9));
    try (FileChannel draft = files.createDraft(ref)) {
      draft.write(ByteBuffer.wrap(new byte[10]));
    }
    files.publish(ref);
    files.copyDraft(ref, copy);
    files.publish(copy);
    assertThat(root.resolve("0005/007").resolve(name(ref))).hasSize(10);
    assertThat(root.resolve("0000/000").resolve(name(copy))).hasSize(10);
    assertThat(Files.isSameFile(files.file(ref), files.file(copy))).isFalse();
  }

  private static String name(ChunkRef ref) {
    return HexFormat.of().toHexDigits(ref.number());
  }
}
