package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobOutcome.ListedItem;
import io.lazuli.server.blob.service.BlobOutcome.ListedPrefix;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobListingTest {
  private final StorageEngine engine =
      BlobsUnderTest.engine("memory", Path.of("unused"), Ticks::systemNow);
  private final BlobsUnderTest blobs = BlobsUnderTest.withContainer(engine);

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  /** The example of blob-rest 19. */
  @Test
  void namesAreGroupedByTheDelimiter() {
    List.of("a.txt", "b/1", "b/2", "b/c/3", "z").forEach(name -> blobs.put(name, text(name)));
    assertThat(all("", "/", 100)).containsExactly("a.txt", "[b/]", "z");
    assertThat(all("b/", "/", 100)).containsExactly("b/1", "b/2", "[b/c/]");
    assertThat(all("b", "", 100)).containsExactly("b/1", "b/2", "b/c/3");
    BlobPage first = page("", "/", null, 2, false, false);
    assertThat(shown(first)).containsExactly("a.txt", "[b/]");
    assertThat(shown(page("", "/", first.next(), 2, false, false))).containsExactly("z");
  }

  @Test
  void snapshotsComeBeforeTheirBlobAlsoAcrossPages() {
    blobs.put("a", text("1"));
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      times.add(blobs.snapshot("a"));
    }
    blobs.put("b", text("2"));
    blobs.putBlock("a", "x", text("uncommitted"));
    List<String> expected =
        List.of("a@" + times.get(0), "a@" + times.get(1), "a@" + times.get(2), "a", "b");
    for (int max = 1; max <= 6; max++) {
      assertThat(pages("", "", max, true, false)).as("pages of " + max).isEqualTo(expected);
    }
    assertThat(all("", "", 2)).containsExactly("a", "b");
  }

  @Test
  void uncommittedBlobsAreListedOnRequest() {
    blobs.putBlock("new", "x", text("1"));
    blobs.putBlock("group/new", "x", text("1"));
    assertThat(all("", "/", 9)).isEmpty();
    assertThat(pages("", "/", 1, false, true)).containsExactly("[group/]", "new");
  }

  @Test
  void aDeletedBlobIsNotShownAlsoBeforeItsRowsAreGone() {
    blobs.put("a", text("1"));
    blobs.put("dir/b", text("1"));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    blobs.delete("dir/b", DeletedSnapshots.NOT_SAID);
    assertThat(blobs.rowKinds("a")).isNotEmpty();
    assertThat(all("", "/", 9)).isEmpty();
  }

  /** A group costs the same whatever its size, measured by the records that a scan visits. */
  @Test
  void aGroupIsPassedByOneSeek() {
    for (String group : List.of("x/", "y/", "z/")) {
      for (int i = 0; i < 500; i++) {
        blobs.put(group + i, text("1"));
      }
    }
    CountingEngine counting = new CountingEngine(engine);
    ListBlobs list =
        new ListBlobs(BlobsUnderTest.CONTAINER, "", NameBounds.NONE, "/", null, 100, false, false);
    BlobPage page =
        (BlobPage)
            BlobsUnderTest.join(
                new BlobListing(list).page(counting, blobs.space(), BlobsUnderTest.deadline()));
    assertThat(shown(page)).containsExactly("[x/]", "[y/]", "[z/]");
    assertThat(counting.recordsShown()).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void pagesOfAnySizeAddUpToTheWhole(long seed) {
    Random random = new Random(seed);
    TreeSet<String> names = new TreeSet<>();
    for (int i = 0; i < 120; i++) {
      StringBuilder name = new StringBuilder("a");
      for (int n = random.nextInt(5); n > 0; n--) {
        name.append("ab//".charAt(random.nextInt(4)));
      }
      names.add(name.toString());
    }
    names.forEach(name -> blobs.put(name, text(name)));
    for (String prefix : List.of("", "a", "a/", "aa/b")) {
      List<String> inside = names.stream().filter(name -> name.startsWith(prefix)).toList();
      TreeSet<String> grouped = new TreeSet<>();
      for (String name : inside) {
        int at = name.indexOf('/', prefix.length());
        grouped.add(at < 0 ? name : name.substring(0, at + 1));
      }
      int max = 1 + random.nextInt(7);
      assertThat(pages(prefix, "", max, false, false)).as("seed " + seed).isEqualTo(inside);
      assertThat(pages(prefix, "/", max, false, false).stream().map(BlobListingTest::bare))
          .as("seed " + seed)
          .containsExactlyElementsOf(grouped);
    }
  }

  /** The rules of blob-features 4.4, on random names and in pages of any size. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void boundsCutTheListing(long seed) {
    Random random = new Random(seed);
    TreeSet<String> names = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      names.add(name(random));
    }
    names.forEach(name -> blobs.put(name, text(name)));
    for (int round = 0; round < 200; round++) {
      NameBounds bounds = new NameBounds(name(random), random.nextBoolean() ? "" : name(random));
      String prefix = List.of("", "a", "a/").get(random.nextInt(3));
      String delimiter = random.nextBoolean() ? "/" : "";
      TreeSet<String> expected = new TreeSet<>();
      for (String name : names) {
        boolean inside = name.compareTo(bounds.from()) >= 0 && name.startsWith(prefix);
        boolean below = bounds.before().isEmpty() || name.compareTo(bounds.before()) < 0;
        int at = delimiter.isEmpty() ? -1 : name.indexOf('/', prefix.length());
        if (inside && below) {
          expected.add(at < 0 ? name : name.substring(0, at + 1));
        }
      }
      List<String> items = new ArrayList<>();
      @Nullable ListMarker marker = null;
      do {
        int max = 1 + random.nextInt(7);
        BlobPage page = page(prefix, bounds, delimiter, marker, max, false, false);
        items.addAll(shown(page));
        marker = page.next();
      } while (marker != null);
      assertThat(items.stream().map(BlobListingTest::bare))
          .as("seed %d, %s, prefix '%s', delimiter '%s'", seed, bounds, prefix, delimiter)
          .containsExactlyElementsOf(expected);
    }
  }

  private static String name(Random random) {
    StringBuilder name = new StringBuilder("a");
    for (int n = random.nextInt(5); n > 0; n--) {
      name.append("ab//".charAt(random.nextInt(4)));
    }
    return name.toString();
  }

  private static String bare(String shown) {
    return shown.startsWith("[") ? shown.substring(1, shown.length() - 1) : shown;
  }

  private List<String> all(String prefix, String delimiter, int max) {
    return pages(prefix, delimiter, max, false, false);
  }

  private List<String> pages(
      String prefix, String delimiter, int max, boolean snapshots, boolean uncommitted) {
    List<String> items = new ArrayList<>();
    @Nullable ListMarker marker = null;
    do {
      BlobPage page = page(prefix, delimiter, marker, max, snapshots, uncommitted);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(max);
      items.addAll(shown(page));
      marker = page.next() == null ? null : ListMarker.require(page.next().text());
    } while (marker != null);
    return items;
  }

  private BlobPage page(
      String prefix,
      String delimiter,
      @Nullable ListMarker marker,
      int max,
      boolean snapshots,
      boolean uncommitted) {
    return page(prefix, NameBounds.NONE, delimiter, marker, max, snapshots, uncommitted);
  }

  private BlobPage page(
      String prefix,
      NameBounds bounds,
      String delimiter,
      @Nullable ListMarker marker,
      int max,
      boolean snapshots,
      boolean uncommitted) {
    return (BlobPage)
        blobs.run(
            new ListBlobs(
                BlobsUnderTest.CONTAINER,
                prefix,
                bounds,
                delimiter,
                marker,
                max,
                snapshots,
                uncommitted));
  }

  private static List<String> shown(BlobPage page) {
    return page.items().stream().map(BlobListingTest::shown).toList();
  }

  private static String shown(ListedItem item) {
    if (item instanceof ListedPrefix prefix) {
      return "[" + prefix.name() + "]";
    }
    ListedBlob blob = (ListedBlob) item;
    return blob.name().text() + (blob.snapshotTicks() == null ? "" : "@" + blob.snapshotTicks());
  }
}
