package io.lazuli.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the data folder that later versions must be able to read. Its name does not end in Test, so
 * that a build does not run it. Run it when the number in {@code FORMAT} is about to be raised,
 * before the code that writes the new format:
 *
 * <pre>
 * mvn -pl lazuli-server -am test -Dtest=DataFolderMaker -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * It leaves two files in {@code lazuli-server/target/data-format}: the folder as a zip file and the
 * answers to all reads as text. Both belong into {@code src/test/resources/data-format}, and the
 * name of the pair and the time at which it was made into {@link DataFormatTest}.
 */
class DataFolderMaker {
  @Test
  void make(@TempDir Path folder) throws IOException {
    DatedRocksDbProvider.start(Instant.now());
    // Each start moves the part before it from RocksDB's log to its tables.
    try (LazuliServer server = start(folder, false);
        Content content = new Content(server)) {
      content.writeFirst();
    }
    try (LazuliServer server = start(folder, false);
        Content content = new Content(server);
        BlobFeatures features = new BlobFeatures(server)) {
      content.writeMore();
      features.writeFirst();
    }
    try (LazuliServer server = start(folder, true);
        BlobFeatures features = new BlobFeatures(server)) {
      features.writeMore();
    }
    Path target = Files.createDirectories(Path.of("target", "data-format"));
    String format = Files.readString(folder.resolve("FORMAT")).strip();
    String name = "format-" + format.substring(format.lastIndexOf(' ') + 1);
    Path zip = target.resolve(name + ".zip");
    FolderZip.pack(folder, zip);
    assertThat(zip).isNotEmptyFile();
    try (LazuliServer server = start(folder, true);
        Content content = new Content(server);
        BlobFeatures features = new BlobFeatures(server)) {
      Files.writeString(target.resolve(name + ".txt"), content.read() + features.read());
    }
  }

  /**
   * Starts a server on a folder, with the clock of {@link DatedRocksDbProvider}.
   *
   * @param versions true if the account keeps the versions of blobs
   */
  static LazuliServer start(Path folder, boolean versions) {
    return LazuliServer.start(
        ServerConfig.builder()
            .engine(DatedRocksDbProvider.NAME)
            .dataFolder(folder)
            .blobVersioning(versions)
            .freePorts()
            .build());
  }
}
