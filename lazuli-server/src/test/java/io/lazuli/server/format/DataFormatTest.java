package io.lazuli.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens data folders that earlier versions wrote (docs/operations.md, "Data format"). If one of
 * these tests fails, this version cannot read data that it promises to read. A text file may change
 * only where the protocol's answer changed on purpose; a zip file never changes.
 */
class DataFormatTest {
  private static final Path FIXTURES = Path.of("src", "test", "resources", "data-format");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"format-1"})
  void dataOfAnEarlierVersionIsReadBackAndStaysAfterWrites(String name) throws IOException {
    FolderZip.unpack(FIXTURES.resolve(name + ".zip"), folder);
    String expected = Files.readString(FIXTURES.resolve(name + ".txt"));
    try (LazuliServer server = DataFolderMaker.start(folder);
        Content content = new Content(server)) {
      assertThat(content.read()).isEqualTo(expected);
      content.writeAndRemove();
    }
    try (LazuliServer server = DataFolderMaker.start(folder);
        Content content = new Content(server)) {
      assertThat(content.read()).isEqualTo(expected);
    }
  }
}
