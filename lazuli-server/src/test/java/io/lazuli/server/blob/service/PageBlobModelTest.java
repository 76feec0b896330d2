package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.page.PageRange;
import io.lazuli.server.blob.page.SequenceConditions;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.ChangePageBlob;
import io.lazuli.server.blob.service.BlobOperation.ClearPages;
import io.lazuli.server.blob.service.BlobOperation.CreatePageBlob;
import io.lazuli.server.blob.service.BlobOperation.FindPageRanges;
import io.lazuli.server.blob.service.BlobOperation.PutPages;
import io.lazuli.server.blob.service.BlobOutcome.PageRangesFound;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs random histories of page blobs against an array of bytes and a map of pages: writes, clears,
 * resizes, snapshots, comparisons, copies and reads, while earlier readers continue and the
 * collector runs in between. At the end only the rows and chunks that are needed are left.
 */
class PageBlobModelTest {
  private static final int PAGE = 512;
  private static final int PAGES_MAX = 2_000;

  /** The expected state of a blob; immutable. */
  private record Pages(byte[] bytes, long[] writes) {
    Pages with(int from, int count, byte @Nullable [] content, long write) {
      byte[] newBytes = bytes.clone();
      long[] newWrites = writes.clone();
      Arrays.fill(newBytes, from * PAGE, (from + count) * PAGE, (byte) 0);
      if (content != null) {
        System.arraycopy(content, 0, newBytes, from * PAGE, content.length);
      }
      Arrays.fill(newWrites, from, from + count, content == null ? -1 : write);
      return new Pages(newBytes, newWrites);
    }

    Pages resized(int pages) {
      int old = writes.length;
      long[] newWrites = Arrays.copyOf(writes, pages);
      Arrays.fill(newWrites, Math.min(old, pages), pages, -1);
      return new Pages(Arrays.copyOf(bytes, pages * PAGE), newWrites);
    }

    static Pages empty(int pages) {
      long[] writes = new long[pages];
      Arrays.fill(writes, -1);
      return new Pages(new byte[pages * PAGE], writes);
    }
  }

  /** A snapshot and the number of the blob's creation that it belongs to. */
  private record Snapshot(Pages pages, int creation, long writes) {}

  private record Reading(BlobReader reader, byte[] expected) {}

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final TreeMap<Long, Snapshot> snapshots = new TreeMap<>();
  private final List<Reading> readings = new ArrayList<>();
  private Pages model = Pages.empty(0);
  private int creation;
  private long writes;

  @ParameterizedTest
  @CsvSource({"memory, 1", "memory, 2", "memory, 3", "rocksdb, 4"})
  void historiesEqualTheModel(String name, long seed, @TempDir Path folder) {
    Random random = new Random(seed);
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, clock::get)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      BlobCollector collector = blobs.collector();
      create(blobs, random);
      for (int step = 0; step < 250; step++) {
        clock.addAndGet(random.nextLong(Ticks.PER_SECOND));
        step(blobs, random);
        if (random.nextInt(4) == 0) {
          blobs.clean();
        } else if (random.nextInt(20) == 0) {
          BlobsUnderTest.round(collector);
        }
        String context = name + ", seed " + seed + ", step " + step;
        compare(blobs, random, context);
      }
      readings.forEach(reading -> end(reading, "at the end"));
      snapshots.keySet().forEach(ticks -> blobs.deleteSnapshot("disk", ticks));
      blobs.clean();
      assertThat(blobs.get("disk")).isEqualTo(model.bytes());
      assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
      assertThat(blobs.rowKinds("disk"))
          .as("one row for each extent with pages")
          .matches("b*f{" + extentsWithPages() + "}k*lp");
      blobs.delete("disk", DeletedSnapshots.INCLUDE);
      blobs.delete("copy", DeletedSnapshots.INCLUDE);
      blobs.clean();
      assertThat(blobs.rowKinds("disk") + blobs.rowKinds("copy")).isEmpty();
      assertThat(blobs.storedChunks()).isEmpty();
    }
  }

  private long extentsWithPages() {
    long extents = 0;
    for (int at = 0; at < model.writes().length; at += 128) {
      int end = Math.min(model.writes().length, at + 128);
      extents += Arrays.stream(model.writes(), at, end).anyMatch(write -> write >= 0) ? 1 : 0;
    }
    return extents;
  }

  private void create(BlobsUnderTest blobs, Random random) {
    int pages = random.nextInt(PAGES_MAX);
    blobs.run(createOf("disk", pages));
    blobs.run(createOf("copy", 1));
    model = Pages.empty(pages);
    creation++;
  }

  private static CreatePageBlob createOf(String name, int pages) {
    return new CreatePageBlob(
        BlobsUnderTest.at(name),
        BlobsUnderTest.settings(),
        RequestTerms.NONE,
        (long) pages * PAGE,
        0);
  }

  private void step(BlobsUnderTest blobs, Random random) {
    int pages = model.writes().length;
    switch (random.nextInt(14)) {
      case 0 -> resize(blobs, random.nextInt(PAGES_MAX));
      case 1 -> {
        long ticks = blobs.snapshot("disk");
        snapshots.put(ticks, new Snapshot(model, creation, writes));
      }
      case 2 -> {
        if (!snapshots.isEmpty() && random.nextBoolean()) {
          long ticks = any(random);
          snapshots.remove(ticks);
          blobs.deleteSnapshot("disk", ticks);
        }
      }
      case 3 -> copy(blobs, random);
      case 4 -> {
        if (random.nextInt(10) == 0) {
          create(blobs, random);
        }
      }
      case 5, 6, 7 -> {
        if (pages > 0) {
          int from = random.nextInt(pages);
          clear(blobs, from, 1 + random.nextInt(pages - from));
        }
      }
      default -> {
        if (pages > 0) {
          int from = random.nextInt(pages);
          int most = random.nextInt(3) == 0 ? pages : 10;
          write(blobs, from, 1 + random.nextInt(Math.min(most, pages - from)));
        }
      }
    }
  }

  private long any(Random random) {
    return List.copyOf(snapshots.keySet()).get(random.nextInt(snapshots.size()));
  }

  private void write(BlobsUnderTest blobs, int from, int count) {
    byte[] content = BlobsUnderTest.bytes(count * PAGE, (int) ++writes);
    blobs.upload(putOf("disk", from, count), content);
    model = model.with(from, count, content, writes);
  }

  private static PutPages putOf(String name, int from, int count) {
    return new PutPages(
        BlobsUnderTest.at(name),
        range(from, count),
        SequenceConditions.NONE,
        RequestTerms.NONE,
        (long) count * PAGE,
        BlobsUnderTest.ANY);
  }

  private static ByteRange range(int from, int count) {
    return new ByteRange((long) from * PAGE, (long) (from + count) * PAGE - 1);
  }

  private void clear(BlobsUnderTest blobs, int from, int count) {
    blobs.run(
        new ClearPages(
            BlobsUnderTest.at("disk"),
            range(from, count),
            SequenceConditions.NONE,
            RequestTerms.NONE));
    model = model.with(from, count, null, ++writes);
  }

  private void resize(BlobsUnderTest blobs, int pages) {
    blobs.run(
        new ChangePageBlob(
            BlobsUnderTest.at("disk"), (long) pages * PAGE, null, null, RequestTerms.NONE));
    model = model.resized(pages);
  }

  /** Copies the blob or a snapshot to another blob, or a snapshot onto its blob. */
  private void copy(BlobsUnderTest blobs, Random random) {
    Long ticks = snapshots.isEmpty() || random.nextBoolean() ? null : (Long) any(random);
    Pages from = ticks == null ? model : snapshots.get(ticks).pages();
    boolean back = ticks != null && random.nextBoolean();
    blobs.copy("disk", ticks, back ? "disk" : "copy");
    if (back) {
      long[] copied = from.writes().clone();
      for (int i = 0; i < copied.length; i++) {
        copied[i] = Math.min(copied[i], 0);
      }
      model = new Pages(from.bytes(), copied);
      creation++;
    } else {
      assertThat(blobs.get("copy")).isEqualTo(from.bytes());
      assertThat(ranges(blobs, "copy", null, null, 10_000)).isEqualTo(written(from, -1, null));
    }
  }

  private void compare(BlobsUnderTest blobs, Random random, String context) {
    int pages = model.writes().length;
    assertThat(blobs.get("disk")).as(context).isEqualTo(model.bytes());
    assertThat(ranges(blobs, "disk", null, null, 10_000))
        .as(context)
        .isEqualTo(written(model, -1, null));
    if (!snapshots.isEmpty()) {
      compareSnapshot(blobs, any(random), random, context);
    }
    if (pages > 0 && readings.size() < 5 && random.nextInt(3) == 0) {
      int from = random.nextInt(pages * PAGE);
      ByteRange part = new ByteRange(from, from + random.nextInt(pages * PAGE - from));
      byte[] expected = Arrays.copyOfRange(model.bytes(), (int) part.from(), (int) part.to() + 1);
      readings.add(new Reading(blobs.open("disk", null, part).content(), expected));
    } else if (!readings.isEmpty() && random.nextInt(4) == 0) {
      end(readings.remove(random.nextInt(readings.size())), context);
    }
  }

  private void compareSnapshot(BlobsUnderTest blobs, long ticks, Random random, String context) {
    Snapshot snapshot = snapshots.get(ticks);
    assertThat(blobs.get("disk", ticks, null)).as(context).isEqualTo(snapshot.pages().bytes());
    if (snapshot.creation() != creation) {
      assertThat(BlobsUnderTest.refusal(() -> ranges(blobs, "disk", null, ticks, 10_000)))
          .as(context)
          .isEqualTo(BlobErrors.BLOB_OVERWRITTEN);
      return;
    }
    assertThat(ranges(blobs, "disk", null, ticks, 1 + random.nextInt(5)))
        .as(context)
        .isEqualTo(written(model, snapshot.writes(), snapshot.pages()));
  }

  private static void end(Reading reading, String context) {
    try (BlobReader reader = reading.reader()) {
      assertThat(BlobsUnderTest.drain(reader)).as(context).isEqualTo(reading.expected());
    }
  }

  /** Returns the expected ranges, as single pages. */
  private static Map<Long, Boolean> written(Pages pages, long since, @Nullable Pages before) {
    Map<Long, Boolean> found = new TreeMap<>();
    for (int page = 0; page < pages.writes().length; page++) {
      long write = pages.writes()[page];
      boolean existed =
          before != null && page < before.writes().length && before.writes()[page] >= 0;
      if (write > since) {
        found.put((long) page * PAGE, false);
      } else if (write < 0 && existed) {
        found.put((long) page * PAGE, true);
      }
    }
    return found;
  }

  /** Returns the ranges of all pages of an answer, as single pages. */
  private static Map<Long, Boolean> ranges(
      BlobsUnderTest blobs, String name, @Nullable Long snapshot, @Nullable Long older, int max) {
    Map<Long, Boolean> found = new TreeMap<>();
    Long marker = 0L;
    while (marker != null) {
      PageRangesFound page =
          (PageRangesFound)
              blobs.run(
                  new FindPageRanges(
                      BlobsUnderTest.at(name),
                      snapshot == null ? null : NamedState.snapshot(snapshot),
                      older,
                      null,
                      marker,
                      max,
                      RequestTerms.NONE));
      assertThat(page.found().ranges()).hasSizeLessThanOrEqualTo(max);
      for (PageRange range : page.found().ranges()) {
        for (long at = range.from(); at < range.to(); at += PAGE) {
          assertThat(found.put(at, range.cleared())).isNull();
        }
      }
      marker = page.found().next();
    }
    return found;
  }

  @Test
  void aLargeClearIsOneRowUntilItIsWorkedOff(@TempDir Path folder) {
    try (StorageEngine engine = BlobsUnderTest.engine("memory", folder, clock::get)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      int extents = 400;
      blobs.run(createOf("disk", extents * 128));
      for (int extent = 0; extent < extents; extent++) {
        blobs.upload(putOf("disk", extent * 128, 1), BlobsUnderTest.bytes(PAGE, extent));
      }
      model = Pages.empty(extents * 128);
      byte[] before = blobs.get("disk");
      long snapshot = blobs.snapshot("disk");
      BlobReader reader = blobs.open("disk", null, null).content();
      clear(blobs, 1, extents * 128 - 2);
      assertThat(blobs.rowKinds("disk")).matches("b{400}cf{401}lps");
      model = Pages.empty(extents * 128).with(0, 1, Arrays.copyOf(before, PAGE), 0);
      assertThat(blobs.get("disk")).isEqualTo(model.bytes());
      write(blobs, 300 * 128 + 5, 2);
      assertThat(blobs.get("disk")).isEqualTo(model.bytes());
      blobs.clean();
      assertThat(blobs.get("disk")).isEqualTo(model.bytes());
      assertThat(BlobsUnderTest.drain(reader)).isEqualTo(before);
      reader.close();
      blobs.clean();
      assertThat(blobs.rowKinds("disk")).doesNotContain("c").doesNotContain("n");
      assertThat(blobs.get("disk")).isEqualTo(model.bytes());
      assertThat(blobs.get("disk", snapshot, null)).isEqualTo(before);
      blobs.deleteSnapshot("disk", snapshot);
      blobs.clean();
      assertThat(blobs.get("disk")).isEqualTo(model.bytes());
      assertThat(blobs.rowKinds("disk")).isEqualTo("bbfflp");
    }
  }

  @Test
  void holesUseNoDisk(@TempDir Path folder) {
    try (StorageEngine engine = BlobsUnderTest.engine("memory", folder, clock::get)) {
      BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);
      blobs.run(
          new CreatePageBlob(
              BlobsUnderTest.at("disk"),
              BlobsUnderTest.settings(),
              RequestTerms.NONE,
              8L << 40,
              0));
      assertThat(blobs.rowKinds("disk")).isEqualTo("lp");
      long last = (8L << 40) / PAGE - 1;
      blobs.upload(
          new PutPages(
              BlobsUnderTest.at("disk"),
              new ByteRange(last * PAGE, (last + 1) * PAGE - 1),
              SequenceConditions.NONE,
              RequestTerms.NONE,
              PAGE,
              BlobsUnderTest.ANY),
          BlobsUnderTest.bytes(PAGE, 1));
      assertThat(blobs.rowKinds("disk")).isEqualTo("bflp");
      assertThat(blobs.storedBytes()).isLessThan(2_000);
      byte[] end = blobs.get("disk", null, new ByteRange((last - 1) * PAGE, Long.MAX_VALUE));
      assertThat(end).startsWith(new byte[PAGE]).endsWith(BlobsUnderTest.bytes(PAGE, 1));
      blobs.run(
          new ClearPages(
              BlobsUnderTest.at("disk"),
              new ByteRange(0, (8L << 40) - 1),
              SequenceConditions.NONE,
              RequestTerms.NONE));
      blobs.clean();
      assertThat(blobs.rowKinds("disk")).isEqualTo("lp");
    }
  }
}
