package io.lazuli.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.work.WorkBoard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Opens data folders that earlier versions wrote (docs/operations.md, "Data format"). If one of
 * these tests fails, this version cannot read data that it promises to read. A text file may change
 * only where the protocol's answer changed on purpose; a zip file never changes.
 */
class DataFormatTest {
  private static final Path FIXTURES = Path.of("src", "test", "resources", "data-format");

  @TempDir private Path folder;

  @Test
  void aFolderOfFormat1IsReadBackAndStaysAfterWrites() throws IOException {
    String expected = unpacked("format-1", "2026-11-16T12:00:00Z");
    for (int start = 1; start <= 2; start++) {
      try (LazuliServer server = DataFolderMaker.start(folder, false);
          Content content = new Content(server)) {
        assertThat(content.read()).isEqualTo(expected);
        content.writeAndRemove();
      }
    }
    assertThat(Verify.run(folder)).isEmpty();
  }

  /** The folders have the features of blobs that format 2 added, and so do all later ones. */
  @ParameterizedTest
  @CsvSource("format-2, 2026-11-18T06:00:00Z")
  void aFolderWithBlobFeaturesIsReadBackAndStaysAfterWrites(String name, String time)
      throws IOException {
    String expected = unpacked(name, time);
    for (int start = 1; start <= 2; start++) {
      try (LazuliServer server = DataFolderMaker.start(folder, true);
          Content content = new Content(server);
          BlobFeatures features = new BlobFeatures(server)) {
        assertThat(content.read() + features.read()).isEqualTo(expected);
        content.writeAndRemove();
        features.writeAndRemove();
      }
    }
    assertThat(Verify.run(folder)).isEmpty();
  }

  /** The servers that wrote this folder had no index of the tags of versions. */
  @ParameterizedTest
  @CsvSource("format-2, 2026-11-18T06:00:00Z")
  void versionsAreFoundByTheirTagsAfterARoundOfTheCollector(String name, String time)
      throws IOException {
    String unused = unpacked(name, time);
    StoreConfig store =
        ServerConfig.builder().engine(DatedRocksDbProvider.NAME).dataFolder(folder).build().store();
    try (StorageEngine engine = Engines.open(store);
        BlobCollector collector =
            new BlobCollector(
                engine,
                new Catalog(engine),
                new BlobGarbage(engine),
                new WorkBoard(engine, "test", (line, failure) -> {}))) {
      collector.round();
    }
    assertThat(Verify.run(folder)).isEmpty();
    try (LazuliServer server = DataFolderMaker.start(folder, true);
        BlobFeatures features = new BlobFeatures(server)) {
      assertThat(features.found("colour='blue'", ""))
          .containsExactly("large", "blue", "pages", "restored");
      assertThat(features.found("colour='blue'", "&include=versions"))
          .containsExactly(
              "large", "blue", "pages", "pages", "restored", "versions", "versions", "versions");
    }
  }

  /**
   * Unpacks a folder and returns the answers to its reads.
   *
   * @param time the time of the store's clock, shortly after the folder was made
   */
  private String unpacked(String name, String time) throws IOException {
    DatedRocksDbProvider.start(Instant.parse(time));
    FolderZip.unpack(FIXTURES.resolve(name + ".zip"), folder);
    assertThat(Verify.run(folder)).isEmpty();
    return Files.readString(FIXTURES.resolve(name + ".txt"));
  }
}
