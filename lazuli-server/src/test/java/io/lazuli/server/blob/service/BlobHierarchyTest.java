package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.model.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlobHierarchyTest {
  /** The example of blob-rest 19. */
  @ParameterizedTest
  @CsvSource({
    "'', /, a.txt b/ z",
    "b/, /, b/1 b/2 b/c/",
    "b, '', b/1 b/2 b/c/3",
    "'', '', a.txt b/1 b/2 b/c/3 z",
    "b, /, b/",
    "c, /, ''",
    "'', .t, a.t b/1 b/2 b/c/3 z",
    "b/, c/, b/1 b/2 b/c/",
  })
  void namesAreGroupedByDelimiter(String prefix, String delimiter, String items) {
    Names names = new Names("a.txt", "b/1", "b/2", "b/c/3", "z");
    assertThat(String.join(" ", names.page(prefix, delimiter, null, 100).items)).isEqualTo(items);
  }

  @Test
  void aGroupCostsOneSeekWhateverItsSize() {
    Names names = new Names();
    for (int i = 0; i < 3_000; i++) {
      names.add("dir" + i % 3 + "/" + i);
    }
    assertThat(names.page("", "/", null, 5_000).items).containsExactly("dir0/", "dir1/", "dir2/");
    assertThat(names.shown).isEqualTo(3);
  }

  @Test
  void aMarkerBehindAGroupSkipsAllOfIt() {
    Names names = new Names("a.txt", "b/1", "b/2", "b/c/3", "z");
    Page first = names.page("", "/", null, 2);
    assertThat(first.items).containsExactly("a.txt", "b/");
    names.add("b/9");
    assertThat(names.page("", "/", first.next, 2).items).containsExactly("z");
  }

  /** Compares pages of random names, prefixes, delimiters and sizes with a walk over all names. */
  @Test
  void pagesAreWhatAWalkOverAllNamesGives() {
    long seed = 20_261_115;
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      Names names = new Names();
      for (int i = random.nextInt(30); i > 0; i--) {
        names.add(text(random, 1 + random.nextInt(6)));
      }
      String prefix = text(random, random.nextInt(3));
      String delimiter = text(random, random.nextInt(3));
      List<String> paged = new ArrayList<>();
      ListMarker marker = null;
      do {
        Page page = names.page(prefix, delimiter, marker, 1 + random.nextInt(4));
        paged.addAll(page.items);
        marker = page.next == null ? null : ListMarker.require(page.next.text());
      } while (marker != null);
      assertThat(paged)
          .as("seed %d, round %d, prefix '%s', delimiter '%s'", seed, round, prefix, delimiter)
          .isEqualTo(names.walk(prefix, delimiter));
    }
  }

  @Test
  void markersComeBackAsTheyWere() {
    for (ListMarker marker :
        List.of(
            ListMarker.at(Bytes.EMPTY),
            ListMarker.at(BlobName.require("日本/😀").key()),
            ListMarker.at(BlobHierarchy.firstAfter(BlobName.require("ÿ").key())),
            new ListMarker(BlobName.require("a").key(), 12_345_678L),
            new ListMarker(BlobName.require("\uffff".repeat(1_024)).key(), ListMarker.BASE_BLOB))) {
      assertThat(marker.text()).matches("[A-Za-z0-9!_-]+");
      assertThat(ListMarker.require(marker.text())).isEqualTo(marker);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "1!", "1!AAAA", "1!*", "2!AAAAAAAAAAA", "1!__________8"})
  void textsThatAreNoMarkerAreRefused(String text) {
    refused(CommonErrors.OUT_OF_RANGE_INPUT, () -> ListMarker.require(text));
  }

  @Test
  void aMarkerIsNoLongerThanANameCanBe() {
    String tooLong = ListMarker.at(Bytes.of(new byte[3_073])).text();
    refused(CommonErrors.OUT_OF_RANGE_INPUT, () -> ListMarker.require(tooLong));
  }

  private static String text(Random random, int length) {
    String[] letters = {"a", "b", "/", "ü", "ÿ", "😀"};
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }

  private record Page(List<String> items, @Nullable ListMarker next) {}

  /** The names of a container, with a scan that counts the names it visits. */
  private static final class Names {
    private final TreeSet<Bytes> keys = new TreeSet<>();
    private int shown;

    Names(String... names) {
      for (String name : names) {
        add(name);
      }
    }

    void add(String name) {
      keys.add(BlobName.require(name).key());
    }

    /** Lists as the service does: seeks, checks one name, seeks on. */
    Page page(String prefix, String delimiter, @Nullable ListMarker marker, int itemsMax) {
      BlobHierarchy hierarchy = new BlobHierarchy(prefix, delimiter);
      List<String> items = new ArrayList<>();
      Bytes at = marker == null ? hierarchy.from() : marker.key();
      Bytes end = hierarchy.to();
      Bytes name = keys.ceiling(at);
      while (name != null && (end == null || name.compareTo(end) < 0)) {
        if (items.size() == itemsMax) {
          return new Page(items, ListMarker.at(name));
        }
        shown++;
        Bytes group = hierarchy.group(name.array());
        items.add(text(group == null ? name : group));
        name = keys.ceiling(group == null ? name.successor() : BlobHierarchy.firstAfter(group));
      }
      return new Page(items, null);
    }

    /** The rules of blob-rest 13 on strings. */
    List<String> walk(String prefix, String delimiter) {
      List<String> items = new ArrayList<>();
      for (Bytes key : keys) {
        String name = text(key);
        int found = delimiter.isEmpty() ? -1 : name.indexOf(delimiter, prefix.length());
        String item = found < 0 ? name : name.substring(0, found + delimiter.length());
        if (name.startsWith(prefix) && !items.contains(item)) {
          items.add(item);
        }
      }
      items.sort(Comparator.comparing(item -> Bytes.of(item.getBytes(StandardCharsets.UTF_8))));
      return items;
    }

    private static String text(Bytes key) {
      return new String(key.array(), StandardCharsets.UTF_8);
    }
  }
}
