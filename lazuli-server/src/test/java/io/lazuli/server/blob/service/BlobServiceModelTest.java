package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs random histories of a few blobs against a map. Contents of all kinds and sizes are put,
 * appended, committed, copied, sealed, deleted and read, while earlier readers continue and the
 * collector runs in between. At the end the store holds exactly the chunks that are referred to.
 */
class BlobServiceModelTest {
  private static final int STEPS = 500;
  private static final int READERS_MAX = 6;
  private static final List<String> NAMES = List.of("a", "dir/b", "dir/c", "ü");

  private static final List<DeletedSnapshots> SAID = List.of(DeletedSnapshots.values());

  /** The expected state of a blob; mutable. */
  private static final class Expected {
    @Nullable BlobType type;
    byte[] content = new byte[0];
    Map<String, byte[]> committed = new LinkedHashMap<>();
    final Map<String, byte[]> uncommitted = new TreeMap<>();
    final TreeMap<Long, byte[]> snapshots = new TreeMap<>();

    void replace(BlobType newType, byte[] newContent, Map<String, byte[]> blocks) {
      type = newType;
      content = newContent;
      committed = blocks;
      uncommitted.clear();
    }

    void clear() {
      replace(BlobType.BLOCK, new byte[0], Map.of());
      type = null;
      snapshots.clear();
    }
  }

  /** A reader that has begun, and the bytes that it must read. */
  private record Reading(BlobReader reader, byte[] expected) {}

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final Map<String, Expected> model = new HashMap<>();
  private final List<Reading> readings = new ArrayList<>();
  private int contents;

  @ParameterizedTest
  @CsvSource({"memory, 1", "memory, 2", "memory, 3", "memory, 4", "rocksdb, 5", "rocksdb, 6"})
  void historiesEqualTheModel(String name, long seed, @TempDir Path folder) {
    Random random = new Random(seed);
    NAMES.forEach(blob -> model.put(blob, new Expected()));
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, clock::get)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      BlobCollector collector = blobs.collector();
      for (int step = 0; step < STEPS; step++) {
        clock.addAndGet(random.nextLong(Ticks.PER_SECOND));
        step(blobs, random);
        collect(blobs, collector, random);
        compare(blobs, random, name + ", seed " + seed + ", step " + step);
      }
      while (!readings.isEmpty()) {
        endReading(random);
      }
      blobs.clean();
      assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
      assertThat(contents).isGreaterThan(STEPS / 8);
      collector.close();
    }
  }

  private void step(BlobsUnderTest blobs, Random random) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Expected blob = expected(name);
    switch (random.nextInt(14)) {
      case 0, 1 -> put(blobs, name, blob, random);
      case 2 -> createAppendBlob(blobs, name, blob);
      case 3, 4 -> append(blobs, name, blob, random);
      case 5, 6 -> putBlock(blobs, name, blob, random);
      case 7 -> commit(blobs, name, blob, random);
      case 8 -> snapshot(blobs, name, blob);
      case 9 -> deleteSnapshot(blobs, name, blob, random);
      case 10 -> delete(blobs, name, blob, random);
      case 11 -> copy(blobs, name, blob, random);
      case 12 -> beginReading(blobs, name, blob, random);
      default -> endReading(random);
    }
  }

  private void collect(BlobsUnderTest blobs, BlobCollector collector, Random random) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> blobs.clean();
      case 3 -> {
        clock.addAndGet(Duration.ofHours(2).toSeconds() * Ticks.PER_SECOND);
        BlobsUnderTest.round(collector);
      }
      default -> {}
    }
  }

  private void put(BlobsUnderTest blobs, String name, Expected blob, Random random) {
    byte[] content = content(random);
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.put(name, content));
    if (happened(blob.type == BlobType.APPEND ? BlobErrors.INVALID_BLOB_TYPE : null, refusal)) {
      blob.replace(BlobType.BLOCK, content, Map.of());
    }
  }

  private void createAppendBlob(BlobsUnderTest blobs, String name, Expected blob) {
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.createAppendBlob(name));
    if (happened(blob.type == BlobType.BLOCK ? BlobErrors.INVALID_BLOB_TYPE : null, refusal)) {
      blob.replace(BlobType.APPEND, new byte[0], Map.of());
    }
  }

  private void append(BlobsUnderTest blobs, String name, Expected blob, Random random) {
    byte[] block = content(random);
    if (block.length == 0) {
      return;
    }
    ServiceError expected = null;
    if (blob.type != BlobType.APPEND) {
      expected = blob.type == null ? BlobErrors.BLOB_NOT_FOUND : BlobErrors.INVALID_BLOB_TYPE;
    }
    ServiceError refusal =
        BlobsUnderTest.refusal(
            () -> assertThat(blobs.append(name, block).offset()).isEqualTo(blob.content.length));
    if (happened(expected, refusal)) {
      blob.content = joined(List.of(blob.content, block));
    }
  }

  private void putBlock(BlobsUnderTest blobs, String name, Expected blob, Random random) {
    byte[] block = content(random);
    String id = "id" + random.nextInt(4);
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.putBlock(name, id, block));
    if (happened(blob.type == BlobType.APPEND ? BlobErrors.INVALID_BLOB_TYPE : null, refusal)) {
      blob.uncommitted.put(id, block);
    }
  }

  private void commit(BlobsUnderTest blobs, String name, Expected blob, Random random) {
    Map<String, byte[]> known = new LinkedHashMap<>(blob.committed);
    known.putAll(blob.uncommitted);
    List<BlockListEntry> entries = new ArrayList<>();
    Map<String, byte[]> blocks = new LinkedHashMap<>();
    List<byte[]> content = new ArrayList<>();
    boolean found = true;
    for (int i = random.nextInt(5); i > 0; i--) {
      String id = "id" + random.nextInt(4);
      byte[] block = known.get(id);
      found &= block != null;
      if (block != null) {
        blocks.put(id, block);
        content.add(block);
      }
      entries.add(BlobsUnderTest.latest(id));
    }
    ServiceError expected = found ? null : BlobErrors.INVALID_BLOCK_LIST;
    expected = blob.type == BlobType.APPEND ? BlobErrors.INVALID_BLOB_TYPE : expected;
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.commit(name, entries));
    if (happened(expected, refusal)) {
      blob.replace(BlobType.BLOCK, joined(content), blocks);
    }
  }

  private static void snapshot(BlobsUnderTest blobs, String name, Expected blob) {
    long[] ticks = new long[1];
    ServiceError refusal = BlobsUnderTest.refusal(() -> ticks[0] = blobs.snapshot(name));
    if (happened(blob.type == null ? BlobErrors.BLOB_NOT_FOUND : null, refusal)) {
      blob.snapshots.put(ticks[0], blob.content);
    }
  }

  private static void deleteSnapshot(
      BlobsUnderTest blobs, String name, Expected blob, Random random) {
    List<Long> times = new ArrayList<>(blob.snapshots.keySet());
    if (!times.isEmpty()) {
      long ticks = times.get(random.nextInt(times.size()));
      blobs.deleteSnapshot(name, ticks);
      blob.snapshots.remove(ticks);
    }
  }

  private static void delete(BlobsUnderTest blobs, String name, Expected blob, Random random) {
    DeletedSnapshots said = SAID.get(random.nextInt(SAID.size()));
    ServiceError expected = null;
    if (blob.type == null && blob.uncommitted.isEmpty()) {
      expected = BlobErrors.BLOB_NOT_FOUND;
    } else if (said == DeletedSnapshots.NOT_SAID && !blob.snapshots.isEmpty()) {
      expected = BlobErrors.SNAPSHOTS_PRESENT;
    }
    if (happened(expected, BlobsUnderTest.refusal(() -> blobs.delete(name, said)))) {
      if (said == DeletedSnapshots.ONLY) {
        blob.snapshots.clear();
      } else {
        blob.clear();
      }
    }
  }

  /** Copies from any blob or snapshot to any blob, including itself. */
  private void copy(BlobsUnderTest blobs, String name, Expected blob, Random random) {
    String fromName = NAMES.get(random.nextInt(NAMES.size()));
    Expected from = expected(fromName);
    Long ticks = random.nextBoolean() || from.snapshots.isEmpty() ? null : from.snapshots.lastKey();
    ServiceError expected = null;
    if (from.type == null) {
      expected = BlobErrors.COPY_SOURCE_NOT_FOUND;
    } else if (blob.type != null && blob.type != from.type) {
      expected = BlobErrors.INVALID_BLOB_TYPE;
    }
    if (happened(expected, BlobsUnderTest.refusal(() -> blobs.copy(fromName, ticks, name)))) {
      byte[] content = ticks == null ? from.content : from.snapshots.get(ticks);
      BlobType type = from.type == null ? BlobType.BLOCK : from.type;
      boolean known = ticks == null && type == BlobType.BLOCK;
      blob.replace(type, content, known ? from.committed : Map.of());
      if (!known && type == BlobType.BLOCK) {
        // The blocks of a snapshot are not modelled, so this begins with a plain blob.
        blobs.put(name, content);
      }
    }
  }

  /** Opens a blob or snapshot and reads none or some of it. */
  private void beginReading(BlobsUnderTest blobs, String name, Expected blob, Random random) {
    if (blob.type == null || readings.size() == READERS_MAX) {
      return;
    }
    Map.Entry<Long, byte[]> snapshot = random.nextBoolean() ? blob.snapshots.lastEntry() : null;
    byte[] content = snapshot == null ? blob.content : snapshot.getValue();
    Long ticks = snapshot == null ? null : snapshot.getKey();
    ByteRange range = null;
    if (content.length > 0 && random.nextBoolean()) {
      int from = random.nextInt(content.length);
      range = new ByteRange(from, from + random.nextInt(content.length));
      int end = (int) Math.min(content.length, range.to() + 1);
      content = Arrays.copyOfRange(content, from, end);
    }
    readings.add(new Reading(blobs.open(name, ticks, range).content(), content));
  }

  private void endReading(Random random) {
    if (!readings.isEmpty()) {
      Reading reading = readings.remove(random.nextInt(readings.size()));
      try (BlobReader reader = reading.reader()) {
        assertThat(BlobsUnderTest.drain(reader)).isEqualTo(reading.expected());
      }
    }
  }

  private void compare(BlobsUnderTest blobs, Random random, String when) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Expected blob = expected(name);
    if (blob.type != null) {
      BlobProperties found = blobs.properties(name);
      assertThat(found.type()).as(when).isEqualTo(blob.type);
      assertThat(blobs.get(name)).as(when).isEqualTo(blob.content);
      blob.snapshots.forEach(
          (ticks, content) -> assertThat(blobs.get(name, ticks, null)).as(when).isEqualTo(content));
    }
    List<String> committed =
        NAMES.stream().filter(listed -> expected(listed).type != null).sorted().toList();
    assertThat(listed(blobs)).as(when).isEqualTo(committed);
  }

  private static List<String> listed(BlobsUnderTest blobs) {
    ListBlobs list =
        new ListBlobs(BlobsUnderTest.CONTAINER, "", NameBounds.NONE, "", null, 100, false, false);
    return ((BlobPage) blobs.run(list))
        .items().stream().map(item -> ((ListedBlob) item).name().text()).toList();
  }

  private Expected expected(String name) {
    Expected expected = model.get(name);
    assertThat(expected).isNotNull();
    return expected;
  }

  private byte[] content(Random random) {
    int length = List.of(0, 1, 100, 65_536, 65_537, 150_000).get(random.nextInt(6));
    return BlobsUnderTest.bytes(length, ++contents);
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static boolean happened(@Nullable ServiceError expected, @Nullable ServiceError refusal) {
    assertThat(refusal).isEqualTo(expected);
    return expected == null;
  }
}
