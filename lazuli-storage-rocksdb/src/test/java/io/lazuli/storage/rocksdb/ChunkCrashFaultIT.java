package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.contract.Chunks;
import io.lazuli.storage.contract.EngineFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Chunks under kill -9, and under a small heap. */
final class ChunkCrashFaultIT {
  private static final int ROUNDS = 6;
  private static final long LARGE_BYTES = 200L << 20;

  @Test
  @Timeout(600)
  void killedWritersLeaveWholeChunksAndNoFileThatIsNotListed(@TempDir Path folder)
      throws IOException, InterruptedException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Map<Long, Long> acknowledged = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      ChildJvm child = ChildJvm.start(List.of(), Writer.class, folder.toString(), "" + seed);
      String first = child.readLine();
      // This does not wait for an event: the kill comes at a random moment.
      assertThat(child.process().waitFor(random.nextInt(300), TimeUnit.MILLISECONDS)).isFalse();
      child.kill();
      for (String line = first; line != null; line = child.readLine()) {
        note(line, acknowledged);
      }
      check(folder, acknowledged, seed);
    }
    System.out.printf(
        "%d kills, %d chunks acknowledged and whole, seed %d%n", ROUNDS, acknowledged.size(), seed);
    // Each round waited for one acknowledgement.
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ROUNDS);
  }

  @Test
  @Tag("long")
  void aLargeChunkPassesThroughASmallHeap(@TempDir Path folder)
      throws IOException, InterruptedException {
    List<String> small = List.of("-Xmx32m", "-XX:MaxDirectMemorySize=8m");
    ChildJvm child = ChildJvm.start(small, LargeWriter.class, folder.toString());
    assertThat(child.output()).containsExactly(LARGE_BYTES + " bytes are the same");
    assertThat(child.process().waitFor()).isZero();
  }

  /** The last line may be cut in the middle. */
  private static void note(String line, Map<Long, Long> acknowledged) {
    String[] words = line.split(" ", -1);
    if (words.length == 3 && words[2].equals(".")) {
      acknowledged.put(Long.valueOf(words[0]), Long.valueOf(words[1]));
    }
  }

  private static void check(Path folder, Map<Long, Long> acknowledged, long seed)
      throws IOException {
    Set<String> listed = new HashSet<>();
    try (RocksDbEngine engine = open(folder)) {
      Chunks chunks = new Chunks(engine.chunks(), owner());
      for (StoredChunk chunk : chunks.list()) {
        listed.add(HexFormat.of().toHexDigits(chunk.ref().number()));
        if (chunk.complete()) {
          // Reading through it checks it.
          assertThat(chunks.read(chunk.ref())).hasSize((int) chunk.length());
        }
      }
      acknowledged.forEach(
          (number, content) ->
              assertThat(chunks.read(new ChunkRef(number)))
                  .as("seed %d", seed)
                  .isEqualTo(Writer.content(content)));
    }
    try (Stream<Path> files = Files.walk(folder.resolve("chunks"))) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .as("seed %d", seed)
          .allMatch(listed::contains);
    }
  }

  private static RocksDbEngine open(Path folder) {
    return RocksDbEngine.open(EngineConfig.of(folder).withMemoryBytes(32 << 20));
  }

  private static Partition owner() {
    return new Partition(new Space(Space.number(SpaceKind.CONTAINER, 1), HOME), bytes("blob"));
  }

  /** Writes, copies and deletes chunks until it is killed, and prints which chunks must exist. */
  static final class Writer {
    private Writer() {}

    static byte[] content(long number) {
      return Chunks.content((int) (number % 7) * 40_000 + 1, number);
    }

    public static void main(String[] arguments) {
      Random random = new Random(Long.parseLong(arguments[1]) + System.nanoTime());
      Chunks chunks = new Chunks(open(Path.of(arguments[0])).chunks(), owner());
      while (true) {
        long content = random.nextInt(Integer.MAX_VALUE);
        ChunkRef ref = chunks.append(content(content));
        ChunkRef copy = EngineFixture.await(chunks.store().copy(ref, owner()));
        System.out.println(copy.number() + " " + content + " .");
        EngineFixture.await(chunks.store().delete(List.of(ref)));
      }
    }
  }

  /** Writes a chunk that is much larger than the heap, and reads it back. */
  static final class LargeWriter {
    private LargeWriter() {}

    public static void main(String[] arguments) {
      try (RocksDbEngine engine = open(Path.of(arguments[0]))) {
        ChunkStore store = engine.chunks();
        byte[] piece = Chunks.content(1 << 20, 1);
        ChunkRef ref;
        try (ChunkWriter writer = EngineFixture.await(store.append(owner()))) {
          while (writer.length() < LARGE_BYTES) {
            EngineFixture.await(writer.write(ByteBuffer.wrap(piece)));
          }
          ref = EngineFixture.await(writer.complete());
        }
        System.out.println(countSame(store, ref, piece) + " bytes are the same");
      }
    }

    private static long countSame(ChunkStore store, ChunkRef ref, byte[] piece) {
      long same = 0;
      ByteBuffer read = ByteBuffer.allocate(64 << 10);
      try (var reader = EngineFixture.await(store.open(ref))) {
        while (EngineFixture.await(reader.read(same, read.clear())) > 0) {
          int from = (int) (same % piece.length);
          if (!read.flip().equals(ByteBuffer.wrap(piece, from, read.limit()))) {
            return same;
          }
          same += read.limit();
        }
      }
      return same;
    }
  }
}
