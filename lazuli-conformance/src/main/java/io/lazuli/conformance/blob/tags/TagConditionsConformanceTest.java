package io.lazuli.conformance.blob.tags;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions on the tags of blobs: {@code x-ms-if-tags} and {@code x-ms-source-if-tags}. */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
class TagConditionsConformanceTest {
  private static final String IF_TAGS = "x-ms-if-tags";
  private static final String HOLDS = "\"colour\" = 'blue'";
  private static final String FAILS = "\"colour\" = 'red'";

  private final ScratchContainer container = ScratchContainer.create();

  private void storeTagged(String name) {
    expect(container.put(name, "x").header("x-ms-tags", "colour=blue&size=10").send()).status(201);
  }

  private WireRequest call(String call) {
    return switch (call) {
      case "get" -> container.get("b");
      case "head" -> container.head("b");
      case "metadata" -> container.on("PUT", "b", "comp=metadata");
      case "properties" -> container.on("PUT", "b", "comp=properties");
      case "tier" -> container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool");
      case "snapshot" -> container.on("PUT", "b", "comp=snapshot");
      case "lease" -> container.lease("b", "acquire").header("x-ms-lease-duration", "15");
      case "tags" -> container.on("GET", "b", "comp=tags");
      case "blocks" -> container.on("GET", "b", "comp=blocklist");
      case "copy" -> container.copy("b", container.url("source"));
      case "sync" ->
          container.copy("b", container.url("source")).header("x-ms-requires-sync", "true");
      case "commit" -> container.commit("b");
      case "put" -> container.put("b", "y");
      case "delete" -> container.delete("b");
      default -> container.on("PUT", "b", "comp=tags").body("<Tags><TagSet></TagSet></Tags>");
    };
  }

  @ParameterizedTest
  @CsvSource({
    "get, 200",
    "head, 200",
    "metadata, 200",
    "properties, 200",
    "tier, 200",
    "snapshot, 201",
    "lease, 201",
    "tags, 200",
    "blocks, 200",
    "copy, 202",
    "sync, 202",
    "commit, 201",
    "put, 201",
    "delete, 202",
    "settags, 204"
  })
  @Documented(
      "blob-features 1.6; blob-rest 4: accepted by reads and writes, false is 412, never 304")
  void aConditionOnTagsIsChecked(String call, int success) {
    container.stored("source", "y");
    storeTagged("b");
    refused(call(call).header(IF_TAGS, FAILS).send(), 412, "ConditionNotMet");
    expect(call(call).header(IF_TAGS, HOLDS).send()).status(success);
  }

  @Test
  @Documented("blob-features 1.6: Append Block")
  void appendBlockChecksTags() {
    expect(container.putLog("b").header("x-ms-tags", "colour=blue").send()).status(201);
    refused(container.append("b", "x").header(IF_TAGS, FAILS).send(), 412, "ConditionNotMet");
    expect(container.append("b", "x").header(IF_TAGS, HOLDS).send()).status(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"colour\" <> 'red'",
        "size >= '10' AND size < '2'",
        "colour='red' OR size='10'",
        "(colour='red' or colour='blue') and size='10'",
      })
  @Documented("blob-features 1.6: <>, OR and parentheses")
  void conditionsHaveAlternatives(String condition) {
    storeTagged("b");
    expect(container.get("b").header(IF_TAGS, condition).send()).status(200);
    container.stored("plain", "x");
    refused(container.get("plain").header(IF_TAGS, condition).send(), 412, "ConditionNotMet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"colour", "colour = blue", "@container = 'x'", "colour = 'blue' AND"})
  @Documented("blob-features 1.6: a syntax error")
  void conditionsThatCannotBeReadAreRefused(String condition) {
    storeTagged("b");
    refused(container.get("b").header(IF_TAGS, condition).send(), 400, "InvalidHeaderValue");
  }

  @Test
  @Documented("blob-features 1.6: a blob that does not exist has no tags")
  void aNewBlobMeetsNoConditionOnTags() {
    container.stored("source", "y");
    for (String call : List.of("put", "commit", "copy", "sync")) {
      refused(call(call).header(IF_TAGS, HOLDS).send(), 412, "ConditionNotMet");
    }
    refused(container.get("b").header(IF_TAGS, HOLDS).send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-features 1.6: all conditions must hold")
  void otherConditionsMustHoldToo() {
    storeTagged("b");
    String other = "\"0x8D0000000000000\"";
    refused(
        container.get("b").header(IF_TAGS, HOLDS).header("If-Match", other).send(),
        412,
        "ConditionNotMet");
    refused(
        container.get("b").header(IF_TAGS, FAILS).header("If-Match", "*").send(),
        412,
        "ConditionNotMet");
    expect(container.get("b").header(IF_TAGS, HOLDS).header("If-Match", "*").send()).status(200);
  }

  @Test
  @Documented("blob-features 1.6: x-ms-source-if-tags")
  void theSourceOfACopyMayHaveAConditionOnItsTags() {
    String header = "x-ms-source-if-tags";
    storeTagged("source");
    String url = container.url("source");
    refused(container.copy("b", url).header(header, FAILS).send(), 412, "ConditionNotMet");
    refused(container.head("b").send(), 404, "BlobNotFound");
    expect(container.copy("b", url).header(header, HOLDS).send()).status(202);
    WireRequest put = container.copy("b", url).header("x-ms-blob-type", "BlockBlob");
    expect(put.header(header, HOLDS).send()).status(201);
  }

  @Test
  @Documented("blob-features 1.6: Put Block and Seal ignore the header")
  void otherOperationsIgnoreTheHeader() {
    container.storedLog("log");
    expect(container.on("PUT", "log", "comp=seal").header(IF_TAGS, FAILS).send()).status(200);
    expect(container.block("b", "1", "x").header(IF_TAGS, FAILS).send()).status(201);
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("blob-features 1.6: a SAS needs t as well")
  void aConditionOnTagsNeedsTheirPermission() {
    storeTagged("b");
    refused(
        container.get("b").header(IF_TAGS, HOLDS).sas(container.access("b", "r")).send(),
        403,
        "AuthorizationPermissionMismatch");
    expect(container.get("b").header(IF_TAGS, HOLDS).sas(container.access("b", "rt")).send())
        .status(200);
  }

  @Test
  @Documented("blob-features 1.1: the codes of invalid tags")
  void invalidTagsAreRefusedByName() {
    for (List<String> rule :
        List.of(
            List.of("=v", "EmptyTagName"),
            List.of("a=1&a=2", "DuplicateTagNames"),
            List.of("k".repeat(129) + "=v", "TagsTooLarge"),
            List.of("k=" + "v".repeat(257), "TagsTooLarge"),
            List.of("a=%3C", "InvalidTag"))) {
      refused(container.put("b", "x").header("x-ms-tags", rule.get(0)).send(), 400, rule.get(1));
    }
    refused(container.head("b").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-features 1.1: ten tags, 128 and 256 characters, and every character")
  void tagsMayBeAsLargeAsTheLimits() {
    StringBuilder ten = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      ten.append(i == 0 ? "" : "&").append("k").append(i).append("=");
    }
    expect(container.put("b", "x").header("x-ms-tags", ten.toString()).send()).status(201);
    expect(container.head("b").send()).header("x-ms-tag-count", "10");
    refused(container.put("c", "x").header("x-ms-tags", ten + "&k10=").send(), 400, "TagsTooLarge");
    String longest = "k".repeat(128) + "=" + "v".repeat(256);
    expect(container.put("b", "x").header("x-ms-tags", longest).send()).status(201);
    String characters = "azAZ09 +-.:=_/";
    String both = Keys.encode(characters) + "=" + Keys.encode(characters);
    expect(container.put("b", "x").header("x-ms-tags", both).send()).status(201);
    assertThat(container.on("GET", "b", "comp=tags").send().text())
        .contains("<Key>" + characters + "</Key><Value>" + characters + "</Value>");
  }

  @Test
  @Documented("blob-features 1.1, 1.2: new tags leave the ETag, and snapshots keep theirs")
  void tagsAreReplacedWithoutANewETag() {
    storeTagged("b");
    String etag = container.property("b", "ETag");
    String snapshot = "snapshot=" + Keys.encode(container.snapshot("b"));
    expect(container.on("PUT", "b", "comp=tags").body("<Tags><TagSet></TagSet></Tags>").send())
        .status(204);
    expect(container.head("b").send()).header("ETag", etag).lacksHeader("x-ms-tag-count");
    assertThat(container.on("GET", "b", "comp=tags&" + snapshot).send().text())
        .contains("<Key>colour</Key>");
    refused(
        container.on("PUT", "b", "comp=tags").body("<Tags><TagSet>").send(),
        400,
        "InvalidXmlDocument");
  }

  @Test
  @Documented("blob-features 1.2: a page blob is created with tags")
  void aPageBlobIsCreatedWithTags() {
    expect(
            container
                .on("PUT", "b", "")
                .header("x-ms-blob-type", "PageBlob")
                .header("x-ms-blob-content-length", "512")
                .header("x-ms-tags", "colour=blue")
                .send())
        .status(201);
    expect(container.head("b").send()).header("x-ms-tag-count", "1");
    for (String call : List.of("comp=pagelist", "comp=tags")) {
      refused(container.on("GET", "b", call).header(IF_TAGS, FAILS).send(), 412, "ConditionNotMet");
      expect(container.on("GET", "b", call).header(IF_TAGS, HOLDS).send()).status(200);
    }
    WireRequest clear = container.on("PUT", "b", "comp=page").header("x-ms-page-write", "clear");
    clear.header("x-ms-range", "bytes=0-511");
    refused(clear.header(IF_TAGS, FAILS).send(), 412, "ConditionNotMet");
  }

  @Test
  @Documented("blob-features 1.2: COPY and x-ms-tags exclude each other")
  void aCopyHasTagsFromOnePlace() {
    storeTagged("source");
    refused(
        container
            .copy("b", container.url("source"))
            .header("x-ms-requires-sync", "true")
            .header("x-ms-copy-source-tag-option", "COPY")
            .header("x-ms-tags", "a=1")
            .send(),
        400,
        "BothUserTagsAndSourceTagsCopyPresentException");
  }

  @Test
  @Documented("blob-features 1.3: the tags of a snapshot cannot be set")
  void theTagsOfASnapshotCannotBeSet() {
    storeTagged("b");
    String time =
        container.on("PUT", "b", "comp=snapshot").send().header("x-ms-snapshot").orElseThrow();
    WireRequest set = container.on("PUT", "b", "comp=tags&snapshot=" + time);
    refused(set.body("<Tags><TagSet></TagSet></Tags>").send(), 400, "InvalidQueryParameterValue");
    expect(container.on("GET", "b", "comp=tags&snapshot=" + time).send()).status(200);
  }
}
