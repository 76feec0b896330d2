package io.lazuli.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLoadTest {
  @TempDir private Path folder;

  @Test
  void filesAreAsLongAsTheirPieces() throws IOException {
    load().fill();
    assertThat(folder.resolve("file0")).hasContent("abcabc");
    assertThat(folder.resolve("file1")).hasContent("abcabc");
    assertThat(files()).isEqualTo(2);
  }

  @Test
  void atLeastOneFileIsProcessed() throws IOException {
    load().fill();
    assertThat(load().write(0).requests()).isEqualTo(1);
    assertThat(load().read(0).requests()).isEqualTo(1);
    assertThat(files()).isEqualTo(2);
  }

  @Test
  void fileThatIsTooShortIsNotRead() throws IOException {
    Files.writeString(folder.resolve("file0"), "abc");
    assertThatThrownBy(() -> load().read(0)).isInstanceOf(EOFException.class);
  }

  private FileLoad load() {
    return new FileLoad(folder, 2, ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII)), 2);
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }
}
