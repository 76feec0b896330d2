package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.XmlElement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** List Blobs: the order, prefixes, delimiters, pages, and the elements of each entry. */
@Covers(value = Area.PAGING, service = StorageService.BLOB)
class BlobListConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  private void store(String... names) {
    Arrays.stream(names).parallel().forEach(name -> container.stored(name, "x"));
  }

  private List<String> kinds(String query) {
    return BlobListing.of(container, query).kinds();
  }

  @Test
  @Documented("blob-rest 13, 19: the examples of delimiters")
  void theExamplesOfDelimiters() {
    store("a.txt", "b/1", "b/2", "b/c/3", "z");
    assertThat(kinds("delimiter=/")).containsExactly("Blob a.txt", "BlobPrefix b/", "Blob z");
    assertThat(kinds("delimiter=/&prefix=b/"))
        .containsExactly("Blob b/1", "Blob b/2", "BlobPrefix b/c/");
    assertThat(kinds("prefix=b")).containsExactly("Blob b/1", "Blob b/2", "Blob b/c/3");
    BlobListing page = BlobListing.of(container, "delimiter=/&maxresults=2");
    assertThat(page.kinds()).containsExactly("Blob a.txt", "BlobPrefix b/");
    assertThat(page.nextMarker()).isNotEmpty();
    assertThat(kinds("delimiter=/&maxresults=2&marker=" + Keys.encode(page.nextMarker())))
        .containsExactly("Blob z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "startFrom=b/2 | Blob b/2, Blob b/c/3, Blob z",
        "startFrom=b/11 | Blob b/2, Blob b/c/3, Blob z",
        "startFrom=b/2&delimiter=/ | BlobPrefix b/, Blob z",
        "startFrom=b/d&delimiter=/ | Blob z",
        "startFrom=a&prefix=b/&delimiter=/ | Blob b/1, Blob b/2, BlobPrefix b/c/",
        "startFrom=b/2&prefix=b/&delimiter=/ | Blob b/2, BlobPrefix b/c/",
        "startFrom=%EF%BF%BF | ''",
        "startFrom= | Blob a.txt, Blob b/1, Blob b/2, Blob b/c/3, Blob z",
      })
  @Documented("blob-features 4.4: startFrom is inclusive, also for the names of a group")
  @Differs("Azurite 3.37.0 lists the prefixes before the blobs")
  void aListingBeginsAtAName(String query, String expected) {
    store("a.txt", "b/1", "b/2", "b/c/3", "z");
    assertThat(String.join(", ", kinds(query))).isEqualTo(expected);
  }

  @Test
  @Documented("blob-features 4.4: a marker replaces startFrom, which clients repeat on every page")
  @Differs("Azurite 3.37.0 lists the prefixes before the blobs")
  void aMarkerReplacesTheFirstName() {
    store("a", "b", "c/1", "c/2", "d");
    for (int size = 1; size <= 4; size++) {
      assertThat(BlobListing.allPages(container, "startFrom=b&delimiter=/&maxresults=" + size))
          .as("pages of %d", size)
          .containsExactly("b", "c/", "d");
    }
    BlobListing page = BlobListing.of(container, "startFrom=b&maxresults=1");
    assertThat(page.root().names()).doesNotContain("StartFrom");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endBefore=b/2 | Blob a.txt, Blob b/1",
        "endBefore=b/2&delimiter=/ | Blob a.txt, BlobPrefix b/",
        "startFrom=b/2&endBefore=z | Blob b/2, Blob b/c/3",
        "startFrom=z&endBefore=b | ''",
        "endBefore=z&prefix=b/c | Blob b/c/3",
      })
  @Documented("blob-features 4.4: endBefore is exclusive; honoured in XML, too")
  @Differs("Azurite 3.37.0 ignores endBefore")
  void aListingEndsBeforeAName(String query, String expected) {
    store("a.txt", "b/1", "b/2", "b/c/3", "z");
    assertThat(String.join(", ", kinds(query))).isEqualTo(expected);
  }

  @Test
  @Documented("blob-rest 13, 20.12: ordinal order")
  void theOrderIsThatOfTheCharacters() {
    store("a", "B", "b", "A", "a/b", "a!", "ab", "é", "z", "0", "_", "\uD83D\uDE00", "\uFF21");
    assertThat(BlobListing.of(container, "").items())
        .containsExactly(
            "0", "A", "B", "_", "a", "a!", "a/b", "ab", "b", "z", "é", "\uFF21", "\uD83D\uDE00");
  }

  @Test
  @Documented("blob-rest 13: an empty prefix or delimiter counts as absent")
  void emptyParametersAreNone() {
    store("a/b", "c");
    assertThat(kinds("prefix=&delimiter=&marker=&include=")).containsExactly("Blob a/b", "Blob c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-- | '' | BlobPrefix a--, Blob a-c, Blob b",
        "- | '' | BlobPrefix a-, Blob b",
        "c | a- | Blob a--b, BlobPrefix a-c",
        "b | '' | BlobPrefix a--b, Blob a-c, BlobPrefix b"
      })
  @Documented("blob-rest 13, 20.12: delimiters of several characters, also in the prefix")
  void aDelimiterMayBeAnyText(String delimiter, String prefix, String expected) {
    store("a--b", "a-c", "b");
    assertThat(kinds("delimiter=" + delimiter + "&prefix=" + prefix))
        .containsExactly(expected.split(", ", -1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100})
  @Documented("blob-rest 13, 20.12: pages of any size")
  void pagesHaveEverythingOnce(int size) {
    List<String> names = IntStream.range(0, 21).mapToObj("n%02d"::formatted).toList();
    store(names.toArray(String[]::new));
    assertThat(BlobListing.allPages(container, "maxresults=" + size)).isEqualTo(names);
    assertThat(BlobListing.of(container, "maxresults=" + size).items())
        .hasSizeLessThanOrEqualTo(size);
  }

  @Test
  @Documented("blob-rest 13: the next page begins after the whole group")
  void pagesOfGroupsHaveEachGroupOnce() {
    store("a/1", "a/2", "a/3", "b", "c/1", "c/2", "d", "e/1");
    for (int size = 1; size <= 6; size++) {
      assertThat(BlobListing.allPages(container, "delimiter=/&maxresults=" + size))
          .as("pages of %d", size)
          .containsExactly("a/", "b", "c/", "d", "e/");
    }
  }

  @Test
  @Documented("blob-rest 13: snapshots count as entries, and pages may end between them")
  void pagesMayEndBetweenSnapshots() {
    store("a", "b");
    container.snapshot("a");
    container.snapshot("a");
    container.snapshot("b");
    for (int size = 1; size <= 5; size++) {
      assertThat(BlobListing.allPages(container, "include=snapshots&maxresults=" + size))
          .as("pages of %d", size)
          .containsExactly("a", "a", "a", "b", "b");
    }
  }

  @Test
  @Documented("blob-rest 13, 20.12: a marker stays valid while blobs are created and deleted")
  void aMarkerStaysGoodWhileBlobsComeAndGo() {
    store("b", "d", "f", "h");
    BlobListing first = BlobListing.of(container, "maxresults=2");
    assertThat(first.items()).containsExactly("b", "d");
    expect(container.delete("f").send()).status(202);
    expect(container.delete("b").send()).status(202);
    store("a", "c", "g");
    List<String> rest =
        BlobListing.of(container, "maxresults=10&marker=" + Keys.encode(first.nextMarker()))
            .items();
    assertThat(rest).contains("h").doesNotContain("b", "d", "a", "f").doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1"})
  @Documented("blob-rest 13; queue-rest 8: a page size below 1")
  void aPageHasAtLeastOneEntry(String size) {
    refused(container.list("maxresults=" + size).send(), 400, "OutOfRangeQueryParameterValue");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "5000, 5000", "5001, 5000", "9001, 5000"})
  @Documented("blob-rest 13; blob-features 10.2 A15: at most 5000, also in the answer")
  void aPageMayBeAskedToBeLarger(String asked, String answered) {
    store("a");
    BlobListing page = BlobListing.of(container, "maxresults=" + asked);
    assertThat(page.items()).containsExactly("a");
    assertThat(page.root().text("MaxResults")).isEqualTo(answered);
  }

  @Test
  @Documented("blob-rest 13: the elements of a listing")
  void theElementsOfAListing() {
    store("ab", "ac", "b");
    BlobListing plain = BlobListing.of(container, "");
    assertThat(plain.root().name()).isEqualTo("EnumerationResults");
    assertThat(plain.root().names()).containsExactly("Blobs", "NextMarker");
    assertThat(plain.root().attributes())
        .containsEntry("ServiceEndpoint", container.wire().account().base() + "/")
        .containsEntry("ContainerName", container.name());
    assertThat(plain.nextMarker()).isEmpty();
    BlobListing full = BlobListing.of(container, "prefix=a&maxresults=1&delimiter=/");
    assertThat(full.root().names())
        .containsExactly("Prefix", "MaxResults", "Delimiter", "Blobs", "NextMarker");
    BlobListing next =
        BlobListing.of(
            container,
            "prefix=a&maxresults=1&delimiter=/&marker=" + Keys.encode(full.nextMarker()));
    assertThat(next.root().names())
        .containsExactly("Prefix", "Marker", "MaxResults", "Delimiter", "Blobs", "NextMarker");
    assertThat(next.root().text("Marker")).isEqualTo(full.nextMarker());
  }

  @Test
  @Documented("blob-rest 13, 2.1: the properties of a block blob, with an ETag without quotes")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void thePropertiesOfABlockBlob() {
    WireAnswer stored = PutBlobConformanceTest.described(container.put("b", "hello world")).send();
    XmlElement properties = BlobListing.of(container, "").properties("b");
    assertThat(properties.texts())
        .containsEntry("Etag", stored.etag().replace("\"", ""))
        .containsEntry("Last-Modified", stored.header("Last-Modified").orElse(""))
        .containsEntry("Content-Length", "11")
        .containsEntry("Content-Type", "text/plain")
        .containsEntry("Content-Encoding", "gzip")
        .containsEntry("Content-Language", "de")
        .containsEntry("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==")
        .containsEntry("Cache-Control", "max-age=5")
        .containsEntry("Content-Disposition", "attachment")
        .containsEntry("BlobType", "BlockBlob")
        .containsEntry("AccessTier", "Hot")
        .containsEntry("AccessTierInferred", "true")
        .containsEntry("LeaseStatus", "unlocked")
        .containsEntry("LeaseState", "available")
        .containsEntry("ServerEncrypted", "true");
    assertThat(properties.names())
        .startsWith("Creation-Time", "Last-Modified", "Etag", "Content-Length", "Content-Type");
  }

  @Test
  @Documented(
      "blob-rest 13; blob-features 10.3: the last properties, in the order of the Java model")
  void thePropertiesAtTheEndHaveAnOrder() {
    expect(container.putLog("log").header("x-ms-tags", "a=1").send()).status(201);
    expect(container.on("PUT", "log", "comp=seal").send()).status(200);
    List<String> names = BlobListing.of(container, "").properties("log").names();
    List<String> last = List.of("ServerEncrypted", "TagCount", "Sealed");
    assertThat(names).endsWith(last.toArray(String[]::new));
  }

  @Test
  @Documented("blob-rest 13: properties that are not set are empty, and append blobs have no tier")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void thePropertiesOfAnAppendBlob() {
    container.storedLog("log");
    XmlElement properties = BlobListing.of(container, "").properties("log");
    assertThat(properties.texts())
        .containsEntry("Content-Length", "0")
        .containsEntry("Content-Type", "application/octet-stream")
        .containsEntry("Content-Encoding", "")
        .containsEntry("Content-Language", "")
        .containsEntry("Content-MD5", "")
        .containsEntry("Cache-Control", "")
        .containsEntry("Content-Disposition", "")
        .containsEntry("BlobType", "AppendBlob")
        .doesNotContainKey("AccessTier")
        .doesNotContainKey("Sealed");
  }

  @Test
  @Documented("blob-rest 13, 20.12: include=metadata")
  void metadataIsListedWhenAsked() {
    expect(container.put("a", "x").header("x-ms-meta-Owner", "ann & bob").send()).status(201);
    store("b");
    BlobListing with = BlobListing.of(container, "include=metadata");
    assertThat(with.blob("a").child("Metadata").texts().values()).containsExactly("ann & bob");
    assertThat(with.blob("b").child("Metadata").children()).isEmpty();
    assertThat(BlobListing.of(container, "").blob("a").find("Metadata")).isEmpty();
  }

  @Test
  @Documented("blob-rest 13, 20.12: include=tags")
  void tagsAreListedWhenAsked() {
    expect(container.put("a", "x").header("x-ms-tags", "k=v").send()).status(201);
    store("b");
    BlobListing with = BlobListing.of(container, "include=tags");
    XmlElement tag = with.blob("a").child("Tags").child("TagSet").child("Tag");
    assertThat(tag.texts()).containsEntry("Key", "k").containsEntry("Value", "v");
    assertThat(with.blob("b").find("Tags")).isEmpty();
    assertThat(with.properties("a").text("TagCount")).isEqualTo("1");
    assertThat(BlobListing.of(container, "").blob("a").find("Tags")).isEmpty();
  }

  @Test
  @Documented("blob-rest 13, 20.12: include=copy")
  void copiesAreListedWhenAsked() {
    store("a");
    expect(container.copy("b", container.url("a")).send()).status(202);
    assertThat(BlobListing.of(container, "include=copy").properties("b").texts())
        .containsEntry("CopyStatus", "success")
        .containsEntry("CopyProgress", "1/1")
        .containsKeys("CopyId", "CopySource", "CopyCompletionTime");
    assertThat(BlobListing.of(container, "").properties("b").names()).doesNotContain("CopyId");
  }

  @Test
  @Documented("blob-rest 13, 20.12: include=uncommittedblobs")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void uncommittedBlobsAreListedWhenAsked() {
    store("a", "c");
    expect(container.block("b", "1", "one").send()).status(201);
    expect(container.block("c", "1", "one").send()).status(201);
    assertThat(BlobListing.of(container, "").items()).containsExactly("a", "c");
    BlobListing with = BlobListing.of(container, "include=uncommittedblobs");
    assertThat(with.items()).containsExactly("a", "b", "c");
    assertThat(with.properties("b").texts())
        .containsEntry("Content-Length", "0")
        .containsEntry("BlobType", "BlockBlob");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metadata,snapshots,copy",
        "Metadata%2CTags",
        "deleted,versions,deletedwithversions",
        "immutabilitypolicy,legalhold,permissions"
      })
  @Documented(
      "blob-rest 13: include is a list in any letter case, and unsupported values are ignored")
  void includeIsAList(String include) {
    store("a");
    assertThat(BlobListing.of(container, "include=" + include).items()).containsExactly("a");
  }

  @Test
  @Documented("blob-rest 13: a delimiter excludes snapshots")
  void snapshotsHaveNoGroups() {
    store("a");
    refused(
        container.list("include=snapshots&delimiter=/").send(), 400, "InvalidQueryParameterValue");
  }

  @Test
  @Documented("blob-rest 13: names that XML cannot represent")
  @Differs("Azurite 3.37.0 answers 500")
  void aNameThatXmlCannotCarryIsEncoded() {
    store("a\uFFFEb", "plain");
    XmlElement name = BlobListing.of(container, "").entries().get(0).child("Name");
    assertThat(name.attributes()).containsEntry("Encoded", "true");
    assertThat(name.text()).isEqualTo("a%EF%BF%BEb");
    assertThat(BlobListing.of(container, "").blob("plain").child("Name").attributes()).isEmpty();
  }

  @Test
  @Documented("blob-rest 13: names with characters that XML escapes")
  void namesAreEscaped() {
    store("a&b<c>'\"d", " e  f ");
    assertThat(BlobListing.of(container, "").items()).containsExactly(" e  f ", "a&b<c>'\"d");
    assertThat(kinds("prefix=a%26b%3C&delimiter=%27")).containsExactly("BlobPrefix a&b<c>'");
  }

  @Test
  @Documented("blob-rest 13, 16: a missing container and an invalid marker")
  void resourcesThatCannotBeListed() {
    refused(
        ScratchContainer.named(ScratchContainer.freshName()).list("").send(),
        404,
        "ContainerNotFound");
    refused(container.list("marker=%00%01nonsense").send(), 400, "OutOfRangeInput");
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 13, 20.12: many blobs, 5000 at a time")
  void thousandsOfBlobsAreListed() {
    List<String> names =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "%02d/%03d".formatted(i / 1000, i % 1000))
            .toList();
    store(names.toArray(String[]::new));
    assertThat(BlobListing.of(container, "").items()).isEqualTo(names.subList(0, 5000));
    assertThat(BlobListing.allPages(container, "maxresults=999")).isEqualTo(names);
    assertThat(kinds("delimiter=/")).hasSize(20).allMatch(kind -> kind.startsWith("BlobPrefix"));
  }
}
