package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.headerRefused;
import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Properties of a blob that can be changed: metadata, HTTP properties and tags, and the ETag that
 * changes with them.
 */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class BlobPropertiesConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  @Test
  @Documented("blob-rest 10.4: metadata is replaced")
  void theMetadataOfABlobIsReplaced() {
    String before =
        container.put("b", "x").header("x-ms-meta-a", "1").send().header("ETag").orElse("");
    WireAnswer set = container.on("PUT", "b", "comp=metadata").header("x-ms-meta-b", "2").send();
    expect(set)
        .status(200)
        .hasHeader("Last-Modified")
        .header("x-ms-request-server-encrypted", "true")
        .emptyBody();
    assertThat(set.etag()).isNotEqualTo(before);
    for (String verb : List.of("GET", "HEAD")) {
      expect(container.on(verb, "b", "comp=metadata").send())
          .status(200)
          .header("ETag", set.etag())
          .hasHeader("Last-Modified")
          .header("x-ms-meta-b", "2")
          .lacksHeader("x-ms-meta-a")
          .emptyBody();
    }
    expect(container.on("PUT", "b", "comp=metadata").send()).status(200);
    expect(container.head("b").send()).lacksHeader("x-ms-meta-b");
    assertThat(container.content("b")).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource({
    "x-ms-meta-, EmptyMetadataKey",
    "x-ms-meta-a-b, InvalidMetadata",
    "x-ms-meta-1a, InvalidMetadata"
  })
  @Documented("blob-rest 15; queue-rest 5.1: names of metadata")
  void aNameOfMetadataIsAnIdentifier(String header, String code) {
    refused(container.put("b", "x").header(header, "v").send(), 400, code);
    refused(container.get("b").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 15; queue-rest 5.1: 8 KiB of metadata")
  void metadataHasAtMost8KiB() {
    expect(container.put("b", "x").header("x-ms-meta-a", "v".repeat(4000)).send()).status(201);
    WireRequest tooMuch = container.put("b", "x");
    for (int i = 0; i < 5; i++) {
      tooMuch.header("x-ms-meta-a" + i, "v".repeat(2000));
    }
    refused(tooMuch.send(), 400, "MetadataTooLarge");
  }

  @Test
  @Documented("blob-rest 10.5, 20.4: all six are set, and the missing ones are cleared")
  void theHttpPropertiesAreSetTogether() {
    WireAnswer stored = PutBlobConformanceTest.described(container.put("b", "hello world")).send();
    WireAnswer set =
        container
            .on("PUT", "b", "comp=properties")
            .header("x-ms-blob-content-language", "fr")
            .send();
    expect(set).status(200).hasHeader("Last-Modified").emptyBody();
    assertThat(set.etag()).isNotEqualTo(stored.etag());
    expect(container.head("b").send())
        .header("ETag", set.etag())
        .header("Content-Language", "fr")
        .lacksHeader("Content-Type")
        .lacksHeader("Content-Encoding")
        .lacksHeader("Content-Disposition")
        .lacksHeader("Content-MD5")
        .header("x-ms-meta-owner", "ann");
  }

  @Test
  @Documented("blob-features 10.2 A4: blobclient/recording_sethttpheaders_with_default_parameters")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019-09-11")
  void settingNoHttpPropertyClearsThemAll() {
    PutBlobConformanceTest.described(container.put("b", "hello world")).send();
    expect(container.on("PUT", "b", "comp=properties").send()).status(200);
    for (String verb : List.of("HEAD", "GET")) {
      expect(container.on(verb, "b", "").send())
          .status(200)
          .header("Content-Length", "11")
          .lacksHeader("Content-Type")
          .lacksHeader("Content-MD5")
          .lacksHeader("Content-Encoding")
          .lacksHeader("Content-Language")
          .lacksHeader("Content-Disposition")
          .lacksHeader("Cache-Control");
    }
    assertThat(BlobListing.of(container, "").properties("b").texts())
        .containsEntry("Content-Type", "")
        .containsEntry("Content-MD5", "");
    assertThat(container.content("b")).isEqualTo("hello world");
  }

  @ParameterizedTest
  @ValueSource(strings = {"AQIDBA==", "AA==", "sQqNsWTgdUEFt6mb5y4/5Q=="})
  @Documented("blob-features 10.2 A3: blobclient/recording_sethttpheaders_with_all_parameters_set")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019-08-29")
  void anyBase64IsStoredAsMd5(String md5) {
    container.stored("b", "hello world");
    expect(setMd5(md5)).status(200);
    expect(container.head("b").send()).header("Content-MD5", md5);
    expect(container.get("b").send()).header("Content-MD5", md5);
    expect(container.get("b").header("x-ms-range", "bytes=0-3").send())
        .status(206)
        .header("x-ms-blob-content-md5", md5);
    assertThat(BlobListing.of(container, "").properties("b").text("Content-MD5")).isEqualTo(md5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"AQIDB", "AQIDBA", "a b=", "not Base64"})
  @Documented("blob-rest 10.5: do: an MD5 that is not Base64")
  void anMd5MustBeBase64(String md5) {
    container.stored("b", "hello world");
    headerRefused(setMd5(md5), "x-ms-blob-content-md5", md5);
    expect(container.head("b").send()).header("Content-MD5", Checksums.md5("hello world"));
  }

  private WireAnswer setMd5(String md5) {
    return container.on("PUT", "b", "comp=properties").header("x-ms-blob-content-md5", md5).send();
  }

  @Test
  @Documented("blob-features 7.2: do: other types have neither a size to set nor a number")
  void headersOfPageBlobsAreRefused() {
    container.stored("b", "x");
    refused(
        container
            .on("PUT", "b", "comp=properties")
            .header("x-ms-blob-content-length", "512")
            .send(),
        409,
        "InvalidBlobType");
  }

  @Test
  @Documented("blob-rest 10.4, 10.5, 16: a blob that does not exist")
  void aMissingBlobHasNoProperties() {
    for (String comp : List.of("metadata", "properties", "tier", "tags")) {
      WireRequest set = container.on("PUT", "b", "comp=" + comp);
      if (comp.equals("tier")) {
        set.header("x-ms-access-tier", "Hot");
      } else if (comp.equals("tags")) {
        set.body(tags("k", "v"));
      }
      refused(set.send(), 404, "BlobNotFound");
    }
    refused(container.on("GET", "b", "comp=tags").send(), 404, "BlobNotFound");
  }

  private static String tags(String... pairs) {
    StringBuilder text = new StringBuilder("<Tags><TagSet>");
    for (int i = 0; i < pairs.length; i += 2) {
      text.append("<Tag><Key>%s</Key><Value>%s</Value></Tag>".formatted(pairs[i], pairs[i + 1]));
    }
    return text.append("</TagSet></Tags>").toString();
  }

  private WireRequest setTags(String body) {
    return container.on("PUT", "b", "comp=tags").body(body);
  }

  @Test
  @Documented("blob-rest 10.11: tags are replaced")
  void theTagsOfABlobAreReplaced() {
    expect(container.put("b", "x").header("x-ms-tags", "a=1&b%20c=x%2By").send()).status(201);
    assertThat(tagsOf("b")).containsEntry("a", "1").containsEntry("b c", "x+y").hasSize(2);
    expect(setTags(tags("k", "v")).send()).status(204).emptyBody();
    assertThat(tagsOf("b")).containsExactly(Map.entry("k", "v"));
    expect(container.head("b").send()).header("x-ms-tag-count", "1");
    expect(setTags(tags()).send()).status(204);
    assertThat(tagsOf("b")).isEmpty();
    expect(container.head("b").send()).lacksHeader("x-ms-tag-count");
  }

  private Map<String, String> tagsOf(String blob) {
    WireAnswer answer = container.on("GET", blob, "comp=tags").send();
    expect(answer).status(200).hasHeader("Content-Length");
    Map<String, String> tags = new LinkedHashMap<>();
    XmlElement.rootOf(answer)
        .child("TagSet")
        .children()
        .forEach(tag -> tags.put(tag.text("Key"), tag.text("Value")));
    return tags;
  }

  @Test
  @Documented("blob-rest 10.11, 15: the rules for tags")
  void tagsAreChecked() {
    container.stored("b", "x");
    String[] most = new String[20];
    for (int i = 0; i < most.length; i += 2) {
      most[i] = "k" + i;
      most[i + 1] = "v";
    }
    expect(setTags(tags(most)).send()).status(204);
    String[] more = Arrays.copyOf(most, 22);
    more[20] = "k";
    more[21] = "v";
    List<String> wrong =
        List.of(
            tags(more),
            tags("k".repeat(129), "v"),
            tags("k", "v".repeat(257)),
            tags("", "v"),
            tags("k", "a!b"),
            tags("k", "1", "k", "2"));
    for (String body : wrong) {
      expect(setTags(body).send()).refused();
    }
    expect(setTags("<Tags>").send()).refused();
    assertThat(tagsOf("b")).hasSize(10);
    expect(setTags(tags("k".repeat(128), "v".repeat(256))).send()).status(204);
    expect(setTags(tags("a +-./:=_9", "")).send()).status(204);
  }

  @Test
  @Documented("blob-rest 3.4, 10.11: a chunked body has no length")
  void tagsHaveALength() {
    container.stored("b", "x");
    refused(setTags(tags("k", "v")).chunked(5).send(), 411, "MissingContentLengthHeader");
    assertThat(tagsOf("b")).isEmpty();
  }

  /** The rows of blob-rest 2.1. */
  enum Change {
    PUT_BLOB(true),
    PUT_BLOCK_LIST(true),
    COPY(true),
    SET_METADATA(true),
    SET_PROPERTIES(true),
    PUT_BLOCK(false),
    LEASE(false),
    SET_TIER(false),
    SET_TAGS(false),
    SNAPSHOT(false);

    final boolean makesNewTag;

    Change(boolean makesNewTag) {
      this.makesNewTag = makesNewTag;
    }

    WireRequest on(ScratchContainer in) {
      return switch (this) {
        case PUT_BLOB -> in.put("b", "y");
        case PUT_BLOCK_LIST -> in.commit("b");
        case COPY -> in.copy("b", in.url("source"));
        case SET_METADATA -> in.on("PUT", "b", "comp=metadata");
        case SET_PROPERTIES -> in.on("PUT", "b", "comp=properties");
        case PUT_BLOCK -> in.block("b", "1", "y");
        case LEASE -> in.lease("b", "acquire").header("x-ms-lease-duration", "15");
        case SET_TIER -> in.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool");
        case SET_TAGS -> in.on("PUT", "b", "comp=tags").body(tags("k", "v"));
        case SNAPSHOT -> in.on("PUT", "b", "comp=snapshot");
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 2.1, 20.16: which operations change the ETag")
  void theTagChangesWithTheBlob(Change change) {
    container.stored("source", "z");
    String before = container.stored("b", "x").etag();
    WireAnswer answer = change.on(container).send();
    assertThat(answer.status()).as("%s", answer).isBetween(200, 204);
    String after = container.property("b", "ETag");
    assertThat(after.equals(before)).as("%s to %s", before, after).isEqualTo(!change.makesNewTag);
  }

  @Test
  @Documented("blob-rest 2.1, 20.16: also for two changes within a second")
  void everyChangeHasATagOfItsOwn() {
    List<String> tags =
        IntStream.range(0, 50).mapToObj(i -> container.stored("b", "x").etag()).toList();
    assertThat(tags).doesNotHaveDuplicates();
  }
}
