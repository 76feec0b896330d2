package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Starts and kills the packed server while writers write. After each kill, the writers check that
 * everything that was acknowledged is there. After the last one and a round of the collector, the
 * chunks on disk are exactly those that records refer to.
 */
final class KillRounds implements AutoCloseable {
  private final Path folder;
  private final String[] options;
  private final List<? extends KillWriter> writers;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /**
   * @param options options of {@code lazuli serve}
   */
  KillRounds(Path folder, List<? extends KillWriter> writers, String... options) {
    this.folder = folder;
    this.writers = writers;
    this.options = options;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** Writes until the server has been killed a number of times. */
  void run(int kills) throws IOException, InterruptedException {
    long seed = Long.getLong("kill.seed", System.nanoTime());
    Random random = new Random(seed);
    int checked = 0;
    for (int i = 0; i < kills; i++) {
      try (PackedServer server = PackedServer.start(PackedServer.JAR, folder, options)) {
        for (KillWriter writer : writers) {
          checked += writer.verify(server);
        }
        writeUntilKilled(server, random.nextInt(400));
      }
    }
    try (PackedServer server = PackedServer.start(PackedServer.JAR, folder, options)) {
      for (KillWriter writer : writers) {
        checked += writer.verify(server);
      }
    }
    int acknowledged = writers.stream().mapToInt(KillWriter::acknowledged).sum();
    assertThat(acknowledged).isGreaterThanOrEqualTo(kills * writers.size());
    System.out.printf(
        "%d kills, %d writes acknowledged, %d items read and right, %s, -Dkill.seed=%d%n",
        kills, acknowledged, checked, counted(seed), seed);
  }

  private void writeUntilKilled(PackedServer server, int millis) throws InterruptedException {
    List<Integer> before = writers.stream().map(KillWriter::acknowledged).toList();
    List<CompletableFuture<Void>> running =
        writers.stream()
            .map(each -> CompletableFuture.runAsync(() -> each.write(server), threads))
            .toList();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              for (int i = 0; i < writers.size(); i++) {
                if (writers.get(i).acknowledged() == before.get(i)) {
                  return false;
                }
              }
              return true;
            });
    // This does not wait for an event: the kill comes at a random moment.
    assertThat(server.process().waitFor(millis, TimeUnit.MILLISECONDS)).isFalse();
    server.close();
    running.forEach(each -> each.orTimeout(30, TimeUnit.SECONDS).join());
  }

  /**
   * Runs the collector two days later, and compares the chunks that are left with those that are
   * referred to.
   */
  private String counted(long seed) throws IOException {
    Path data = folder.resolve("data");
    int filesBefore = files(data).size();
    long later = Ticks.systemNow() + Duration.ofDays(2).toSeconds() * Ticks.PER_SECOND;
    try (StorageEngine engine = BlobsUnderTest.engine("rocksdb", data, () -> later)) {
      BlobsUnderTest blobs = new BlobsUnderTest(engine);
      int before = blobs.storedChunks().size();
      try (BlobCollector collector = blobs.collector()) {
        BlobsUnderTest.round(collector);
      }
      Set<Long> referenced = blobs.referencedChunks();
      assertThat(referenced).isNotEmpty();
      assertThat(blobs.storedChunks()).as("-Dkill.seed=" + seed).isEqualTo(referenced);
      assertThat(files(data)).isEqualTo(referenced);
      return "chunks: %d listed and %d files left by the kills; after the collection %d files, %d"
              .formatted(before, filesBefore, files(data).size(), referenced.size())
          + " referred to, 0 stray, 0 missing";
    }
  }

  /** Returns the numbers of all chunk files, complete or not. */
  private static Set<Long> files(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data.resolve("chunks"))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> HexFormat.fromHexDigitsToLong(file.getFileName().toString()))
          .collect(Collectors.toSet());
    }
  }
}
