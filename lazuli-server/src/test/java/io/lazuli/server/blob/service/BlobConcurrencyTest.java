package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobConcurrencyTest {
  private static final int APPENDERS = 64;
  private static final int APPENDS = 20;
  private static final int WRITERS = 32;
  private static final int INCREMENTS = 8;
  private static final int VERSIONS_SEEN = 5;

  /** Every third block is too large for a record. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void eachAcknowledgedAppendIsThereOnceAtItsOffset(String name, @TempDir Path folder)
      throws Exception {
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, Ticks::systemNow)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      blobs.createAppendBlob("log");
      Map<Long, byte[]> acknowledged = new ConcurrentHashMap<>();
      List<Runnable> appenders = new ArrayList<>();
      for (int i = 0; i < APPENDERS; i++) {
        int appender = i;
        appenders.add(
            () -> {
              for (int n = 0; n < APPENDS; n++) {
                int length = n % 3 == 0 && appender % 8 == 0 ? 70_000 : 20 + n;
                byte[] block = bytes(length, appender * APPENDS + n);
                long offset = blobs.append("log", block).offset();
                assertThat(acknowledged.put(offset, block)).isNull();
              }
            });
      }
      runAll(appenders);
      byte[] content = blobs.get("log");
      assertThat(acknowledged).hasSize(APPENDERS * APPENDS);
      int total = 0;
      for (Map.Entry<Long, byte[]> block : acknowledged.entrySet()) {
        int from = block.getKey().intValue();
        byte[] there = new byte[block.getValue().length];
        System.arraycopy(content, from, there, 0, there.length);
        assertThat(there).isEqualTo(block.getValue());
        total += there.length;
      }
      assertThat(content).hasSize(total);
      BlobProperties log = blobs.properties("log");
      assertThat(log.content().blocks()).isEqualTo(APPENDERS * APPENDS);
    }
  }

  /** Each appender sends the length that it expects, and only one of them is right. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void ofAppendersWithTheSamePositionOneSucceeds(String name, @TempDir Path folder)
      throws Exception {
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, Ticks::systemNow)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      blobs.createAppendBlob("log");
      for (long round = 0; round < 10; round++) {
        long position = round * 4;
        AtomicInteger appended = new AtomicInteger();
        List<Runnable> appenders = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          appenders.add(
              () -> {
                ServiceError refusal =
                    BlobsUnderTest.refusal(
                        () ->
                            blobs.upload(
                                BlobsUnderTest.appendBlock("log", position, null, 4),
                                text("abcd")));
                if (refusal == null) {
                  appended.incrementAndGet();
                } else {
                  assertThat(refusal).isEqualTo(BlobErrors.APPEND_POSITION_NOT_MET);
                }
              });
        }
        runAll(appenders);
        assertThat(appended).hasValue(1);
      }
      assertThat(blobs.get("log")).hasSize(40);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void writersWithIfMatchLoseNoUpdateOfACounter(String name, @TempDir Path folder)
      throws Exception {
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, Ticks::systemNow)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      blobs.put("counter", text("0"));
      List<Runnable> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(
            () -> {
              for (int n = 0; n < INCREMENTS; n++) {
                increment(blobs);
              }
            });
      }
      runAll(writers);
      assertThat(new String(blobs.get("counter"), StandardCharsets.UTF_8))
          .isEqualTo(String.valueOf(WRITERS * INCREMENTS));
    }
  }

  private static void increment(BlobsUnderTest blobs) {
    @Nullable ServiceError refusal = BlobErrors.CONDITION_NOT_MET;
    while (refusal != null) {
      BlobOpened opened = blobs.open("counter", null, null);
      byte[] content;
      try (BlobReader reader = opened.content()) {
        content = BlobsUnderTest.drain(reader);
      }
      int value = Integer.parseInt(new String(content, StandardCharsets.UTF_8)) + 1;
      refusal =
          BlobsUnderTest.refusal(
              () ->
                  blobs.put(
                      "counter",
                      text(String.valueOf(value)),
                      BlobsUnderTest.ifMatch(opened.properties())));
      if (refusal != null) {
        assertThat(refusal).isEqualTo(BlobErrors.CONDITION_NOT_MET);
      }
    }
  }

  /**
   * Replaces and deletes blobs of chunks and records while readers read them and a collector runs.
   */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void readersSeeOneVersionWhileWritersReplaceAndDelete(String name, @TempDir Path folder)
      throws Exception {
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, Ticks::systemNow)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      try (BlobCollector collector = blobs.collector()) {
        collector.start();
        AtomicBoolean over = new AtomicBoolean();
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        List<Runnable> workers = new ArrayList<>();
        workers.add(() -> replace(blobs, seen, over));
        for (int i = 0; i < 4; i++) {
          workers.add(() -> readUntil(blobs, over, seen));
        }
        runAll(workers);
        assertThat(seen).hasSizeGreaterThan(VERSIONS_SEEN);
      }
      blobs.clean();
      assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
    }
  }

  /** The content of round n has seed n, whatever operation wrote it. */
  private static void replace(BlobsUnderTest blobs, Set<Integer> seen, AtomicBoolean over) {
    try {
      for (int round = 1; isWanted(round, seen); round++) {
        if (round % 3 == 0) {
          blobs.commit("b", stage(blobs, "b", round));
        } else {
          blobs.put("b", bytes(200_000 + round, round));
        }
        if (round % 5 == 0) {
          blobs.delete("b", DeletedSnapshots.NOT_SAID);
        }
      }
    } finally {
      over.set(true);
    }
  }

  /**
   * Limits the versions that readers must see: on a busy machine they see few of the first ones.
   */
  private static boolean isWanted(int round, Set<Integer> seen) {
    return round <= 120 || (seen.size() <= VERSIONS_SEEN && round <= 10_000);
  }

  private static void readUntil(BlobsUnderTest blobs, AtomicBoolean over, Set<Integer> seen) {
    while (!over.get()) {
      byte[][] content = new byte[1][];
      ServiceError refusal = BlobsUnderTest.refusal(() -> content[0] = blobs.get("b"));
      if (refusal == null) {
        int round = content[0].length - 200_000;
        assertThat(content[0]).isEqualTo(bytes(content[0].length, round));
        seen.add(round);
      } else {
        assertThat(refusal).isEqualTo(BlobErrors.BLOB_NOT_FOUND);
      }
    }
  }

  /**
   * Commits lists and copies to one blob from several threads while the collector sweeps it. Every
   * operation that succeeds has written complete content.
   */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void commitsAndCopiesOntoOneBlobAreWholeWhileItIsSwept(String name, @TempDir Path folder)
      throws Exception {
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, Ticks::systemNow)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      try (BlobCollector collector = blobs.collector()) {
        collector.start();
        AtomicInteger committed = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        List<Runnable> workers = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
          int worker = i;
          blobs.put("source" + i, bytes(200_000 + i, i));
          blobs.commit("list" + i, stage(blobs, "list" + i, i));
          workers.add(() -> commitAndCopy(blobs, worker, committed, over));
        }
        workers.add(() -> readUntil(blobs, over, ConcurrentHashMap.newKeySet()));
        runAll(workers);
        assertThat(committed).hasValueGreaterThan(20);
      }
      blobs.clean();
      assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
    }
  }

  private static void commitAndCopy(
      BlobsUnderTest blobs, int worker, AtomicInteger committed, AtomicBoolean over) {
    try {
      for (int round = 0; round < 10; round++) {
        List<BlockListEntry> entries = stage(blobs, "b", worker);
        ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.commit("b", entries));
        // A commit of another thread drops the blocks that it does not list.
        assertThat(refusal).isIn(null, BlobErrors.INVALID_BLOCK_LIST);
        committed.addAndGet(refusal == null ? 1 : 0);
        blobs.copy((round % 2 == 0 ? "source" : "list") + worker, null, "b");
        committed.incrementAndGet();
      }
    } finally {
      over.set(true);
    }
  }

  /** Puts the content of a round as blocks, some of them records and some of them chunks. */
  private static List<BlockListEntry> stage(BlobsUnderTest blobs, String blob, int round) {
    byte[] content = bytes(200_000 + round, round);
    List<BlockListEntry> entries = new ArrayList<>();
    int length = 0;
    for (int at = 0, n = 0; at < content.length; at += length, n++) {
      length = Math.min(40_000 + n * 35_000, content.length - at);
      String id = round % 1_000 + "-" + n;
      blobs.putBlock(blob, id, Arrays.copyOfRange(content, at, at + length));
      entries.add(BlobsUnderTest.latest(id));
    }
    return entries;
  }

  private static void runAll(List<Runnable> workers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(workers.size());
    try {
      Set<Future<?>> futures = new HashSet<>();
      workers.forEach(worker -> futures.add(threads.submit(worker)));
      for (Future<?> future : futures) {
        future.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
