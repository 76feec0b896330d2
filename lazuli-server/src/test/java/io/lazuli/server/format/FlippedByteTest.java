package io.lazuli.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flips single bits in every file of a store that has every kind of record. {@code lazuli verify}
 * finds each of them, or the file does not matter: the store is then the same with all of its bytes
 * flipped.
 */
class FlippedByteTest {
  /** Flips in each file that the store needs. */
  private static final int FLIPS = Integer.getInteger("verify.flips", 12);

  private static final long SEED = Long.getLong("verify.seed", new Random().nextLong());

  @TempDir private Path folder;
  private final Random random = new Random(SEED);

  @BeforeEach
  void fill() throws IOException {
    DatedRocksDbProvider.start(Instant.now());
    // Each start moves the part before it from RocksDB's log to its tables.
    try (LazuliServer server = DataFolderMaker.start(folder, false);
        Content content = new Content(server);
        BlobFeatures features = new BlobFeatures(server)) {
      content.writeFirst();
      content.writeMore();
      features.writeFirst();
    }
    try (LazuliServer server = DataFolderMaker.start(folder, true);
        BlobFeatures features = new BlobFeatures(server)) {
      features.writeMore();
    }
  }

  @Test
  void verifyFindsEveryFlipAndChangesNothing() throws IOException {
    assertThat(Verify.run(folder)).isEmpty();
    Map<String, Integer> kinds = new TreeMap<>();
    List<String> missed = new ArrayList<>();
    for (Path file : files()) {
      if (!isNeeded(file)) {
        continue;
      }
      byte[] original = Files.readAllBytes(file);
      for (int i = 0; i < Math.min(FLIPS, original.length); i++) {
        int at = random.nextInt(original.length);
        byte[] damaged = original.clone();
        damaged[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, damaged);
        if (Verify.run(folder).isEmpty() && !isEndOfLine(original, at)) {
          missed.add(file + " at " + at);
        }
        assertThat(file).hasBinaryContent(damaged);
        kinds.merge(kind(file), 1, Integer::sum);
      }
      Files.write(file, original);
    }
    assertThat(missed).as("seed %d of %s", SEED, kinds).isEmpty();
    assertThat(kinds).containsKeys("sst", "log", "MANIFEST", "CURRENT", "FORMAT", "chunk");
    assertThat(Verify.run(folder)).isEmpty();
  }

  @Test
  void theOtherFilesDoNotMatter() throws IOException {
    String expected = read();
    List<String> flipped = new ArrayList<>();
    for (Path file : files()) {
      if (!isNeeded(file) && !file.toString().contains("native")) {
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(file, bytes);
        flipped.add(kind(file));
      }
    }
    assertThat(flipped).contains("OPTIONS", "IDENTITY", "LAZULI", "LOG");
    assertThat(Verify.run(folder)).as("seed %d", SEED).isEmpty();
    assertThat(read()).as("seed %d", SEED).isEqualTo(expected);
  }

  private String read() throws IOException {
    try (LazuliServer server = DataFolderMaker.start(folder, true);
        Content content = new Content(server);
        BlobFeatures features = new BlobFeatures(server)) {
      return content.read() + features.read();
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static String kind(Path file) {
    String name = file.getFileName().toString();
    if (file.toString().contains("chunks")) {
      return "chunk";
    }
    String ending = name.substring(name.lastIndexOf('.') + 1);
    return name.contains(".") && !name.startsWith("LOG") ? ending : name.replaceAll("-.*", "");
  }

  /** Returns whether the store needs a file. A start writes the others again, or ignores them. */
  static boolean isNeeded(Path file) {
    return List.of("sst", "log", "MANIFEST", "CURRENT", "FORMAT", "chunk").contains(kind(file));
  }

  /** The line end of a text may be another white space. */
  private static boolean isEndOfLine(byte[] original, int at) {
    return original[at] == '\n' && at == original.length - 1;
  }
}
