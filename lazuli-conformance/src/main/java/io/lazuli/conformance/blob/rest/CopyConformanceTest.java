package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.headerRefused;
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
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies within the account, and operations that take their body from a URL of the account. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class CopyConformanceTest {

  private static final String GUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

  private final ScratchContainer container = ScratchContainer.create();
  private final String source = container.url("source");

  private WireRequest copy() {
    return container.copy("b", source);
  }

  private WireRequest fromUrl() {
    return copy().header("x-ms-blob-type", "BlockBlob");
  }

  private void storeSource() {
    expect(
            PutBlobConformanceTest.described(container.put("source", "hello world"))
                .header("x-ms-tags", "a=1")
                .send())
        .status(201);
  }

  @Test
  @Documented("blob-rest 10.8, 20.11: properties, metadata and the status of the copy")
  void aCopyHasEverythingOfItsSourceButTags() {
    storeSource();
    WireAnswer answer = copy().send();
    expect(answer)
        .status(202)
        .hasHeader("Last-Modified")
        .header("x-ms-copy-status", "success")
        .emptyBody();
    String copyId = answer.header("x-ms-copy-id").orElse("");
    assertThat(copyId).matches(GUID);
    assertThat(container.content("b")).isEqualTo("hello world");
    WireAnswer properties = container.head("b").send();
    expect(properties)
        .header("ETag", answer.etag())
        .header("Content-Type", "text/plain")
        .header("Content-Language", "de")
        .header("Content-Disposition", "attachment")
        .header("Cache-Control", "max-age=5")
        .header("Content-MD5", Checksums.md5("hello world"))
        .header("x-ms-meta-owner", "ann")
        .lacksHeader("x-ms-tag-count")
        .header("x-ms-copy-id", copyId)
        .header("x-ms-copy-status", "success")
        .header("x-ms-copy-progress", "11/11")
        .hasHeader("x-ms-copy-completion-time");
    assertThat(properties.header("x-ms-copy-source").orElse("")).startsWith(source);
  }

  @Test
  @Documented("blob-features 10.2 A18: test_incremental_copy_blob of Python; do: no signature")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019-08-28")
  void theSourceIsShownAsItWasSent() {
    ScratchContainer other = ScratchContainer.create();
    other.stored("dir/a b+ü", "x");
    String time = Keys.encode(other.snapshot("dir/a b+ü"));
    String plain = other.url("dir/a b+ü").replace("dir/", "dir%2F") + "?snapshot=" + time;
    expect(container.copy("b", plain).send()).status(202);
    expect(container.head("b").send()).header("x-ms-copy-source", plain);
    expect(container.get("b").send()).header("x-ms-copy-source", plain);
    String signed = other.url("dir/a b+ü") + "?" + other.access("dir/a b+ü", "r").token();
    int signature = signed.indexOf("sig=") + "sig=".length();
    expect(container.copy("b", signed).send()).status(202);
    String shown = container.property("b", "x-ms-copy-source");
    assertThat(shown).startsWith(signed.substring(0, signature));
    assertThat(shown).doesNotContain(signed.substring(signature));
    assertThat(BlobListing.of(container, "include=copy").properties("b").text("CopySource"))
        .isEqualTo(shown);
  }

  @Test
  @Documented("blob-rest 10.8: the copy may get its own metadata and tags")
  void aCopyMayHaveMetadataAndTagsOfItsOwn() {
    storeSource();
    expect(copy().header("x-ms-meta-new", "1").header("x-ms-tags", "b=2&c=3").send()).status(202);
    expect(container.head("b").send())
        .header("x-ms-meta-new", "1")
        .lacksHeader("x-ms-meta-owner")
        .header("x-ms-tag-count", "2");
    expect(
            container
                .copy("c", source)
                .header("x-ms-copy-source-tag-option", "COPY")
                .header("x-ms-requires-sync", "true")
                .send())
        .status(202);
    expect(container.head("c").send()).header("x-ms-tag-count", "1");
  }

  @Test
  @Documented("blob-rest 10.8, 20.11: the block list is copied")
  void aCopyHasTheBlocksOfItsSource() {
    expect(container.block("source", "1", "one").send()).status(201);
    expect(container.block("source", "2", "two!").send()).status(201);
    expect(container.commit("source", "Latest:1", "Latest:2").send()).status(201);
    expect(copy().send()).status(202);
    XmlElement list = XmlElement.rootOf(container.on("GET", "b", "comp=blocklist").send());
    assertThat(list.child("CommittedBlocks").children().stream().map(b -> b.text("Size")).toList())
        .containsExactly("3", "4");
    expect(container.commit("b", "Committed:2").send()).status(201);
    assertThat(container.content("b")).isEqualTo("two!");
    assertThat(container.content("source")).isEqualTo("onetwo!");
  }

  @Test
  @Documented("blob-rest 10.8: the copy of an append blob is an append blob")
  void aCopyOfAnAppendBlobGrowsOnItsOwn() {
    container.storedLog("source");
    expect(container.append("source", "one").send()).status(201);
    expect(copy().send()).status(202);
    expect(container.append("b", "two").send()).status(201).header("x-ms-blob-append-offset", "3");
    expect(container.append("source", "!").send()).status(201);
    assertThat(container.content("b")).isEqualTo("onetwo");
    assertThat(container.content("source")).isEqualTo("one!");
  }

  @Test
  @Documented("blob-rest 10.8: the copy outlives its source, and the source its copy")
  void aCopyIsIndependentOfItsSource() {
    storeSource();
    expect(copy().send()).status(202);
    expect(container.delete("source").send()).status(202);
    assertThat(container.content("b")).isEqualTo("hello world");
    expect(container.copy("c", container.url("b")).send()).status(202);
    expect(container.delete("b").send()).status(202);
    assertThat(container.content("c")).isEqualTo("hello world");
  }

  @Test
  @Documented("blob-rest 10.8, 2.2, 20.11: a blob is copied onto itself")
  void aBlobIsCopiedOntoItself() {
    storeSource();
    String before = container.property("source", "ETag");
    expect(container.copy("source", source).header("x-ms-meta-new", "1").send()).status(202);
    assertThat(container.content("source")).isEqualTo("hello world");
    expect(container.head("source").send())
        .header("x-ms-meta-new", "1")
        .lacksHeader("x-ms-meta-owner");
    assertThat(container.property("source", "ETag")).isNotEqualTo(before);
  }

  @Test
  @Documented("blob-rest 10.8: from another container of the account")
  void aBlobIsCopiedFromAnotherContainer() {
    ScratchContainer other = ScratchContainer.create();
    other.stored("dir/a b+ü.txt", "elsewhere");
    expect(container.copy("b", other.url("dir/a b+ü.txt")).send()).status(202);
    expect(container.copy("c", other.url("dir/a b+ü.txt").replace("dir/", "dir%2F")).send())
        .status(202);
    assertThat(container.content("b")).isEqualTo("elsewhere");
    assertThat(container.content("c")).isEqualTo("elsewhere");
  }

  @Test
  @Documented("blob-rest 10.8, 10.4: the next write removes the copy properties")
  void thePropertiesOfACopyGoWithTheNextWrite() {
    storeSource();
    expect(copy().send()).status(202);
    container.leased("b", "11111111-aaaa-4aaa-8aaa-111111111111");
    expect(container.head("b").send()).hasHeader("x-ms-copy-id");
    expect(
            container
                .on("PUT", "b", "comp=metadata")
                .header("x-ms-lease-id", "11111111-aaaa-4aaa-8aaa-111111111111")
                .send())
        .status(200);
    expect(container.head("b").send()).lacksHeader("x-ms-copy-id");
  }

  @Test
  @Documented("blob-rest 10.8, 3.2: the synchronous form")
  void theFormThatWaitsTakesTruthInAnyCase() {
    storeSource();
    for (String yes : List.of("true", "True")) {
      expect(copy().header("x-ms-requires-sync", yes).send())
          .status(202)
          .header("x-ms-copy-status", "success")
          .hasHeader("x-ms-copy-id")
          .header("x-ms-content-crc64", "vo7q9sPVKY0=")
          .header("x-ms-request-server-encrypted", "true");
    }
  }

  @Test
  @Documented("blob-features 10.2 A17: BlobCopyFromURLHeaders of JavaScript has both checksums")
  void aSynchronousCopyAnswersWithTheMd5ThatWasGiven() {
    storeSource();
    WireRequest plain = copy().header("x-ms-requires-sync", "true");
    expect(plain.send()).status(202).lacksHeader("Content-MD5");
    String md5 = "x-ms-source-content-md5";
    expect(
            copy()
                .header("x-ms-requires-sync", "true")
                .header(md5, Checksums.md5("hello world"))
                .send())
        .status(202)
        .header("Content-MD5", Checksums.md5("hello world"))
        .header("x-ms-content-crc64", "vo7q9sPVKY0=");
    String before = container.property("b", "ETag");
    refused(
        copy().header("x-ms-requires-sync", "true").header(md5, Checksums.md5("other")).send(),
        400,
        "Md5Mismatch");
    assertThat(container.property("b", "ETag")).isEqualTo(before);
  }

  @Test
  @Documented("blob-rest 10.8, 16: conditions on the source")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theSourceMayHaveConditions() {
    WireAnswer stored = container.stored("source", "x");
    Instant changed = HttpDates.lastModified(stored);
    String before = WireRequest.httpDate(changed.minusSeconds(1));
    String now = WireRequest.httpDate(changed);
    Map<String, String> failing =
        Map.of(
            "x-ms-source-if-match",
            "\"0x1\"",
            "x-ms-source-if-none-match",
            stored.etag(),
            "x-ms-source-if-modified-since",
            now,
            "x-ms-source-if-unmodified-since",
            before);
    failing.forEach(
        (header, value) ->
            refused(
                copy().header(header, value).send(),
                412,
                "SourceConditionNotMet",
                "The source condition specified using HTTP conditional header(s) is not met."));
    refused(container.head("b").send(), 404, "BlobNotFound");
    Map<String, String> passing =
        Map.of(
            "x-ms-source-if-match",
            stored.etag(),
            "x-ms-source-if-none-match",
            "\"0x1\"",
            "x-ms-source-if-modified-since",
            before,
            "x-ms-source-if-unmodified-since",
            now);
    passing.forEach((header, value) -> expect(copy().header(header, value).send()).status(202));
  }

  @Test
  @Documented(
      "blob-rest 10.8; blob-features 5.4: test_append_block_from_url_with_source_if_match of Python")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019-09 to 2019-10")
  void aFailedConditionOnTheSourceOfABlockIsThatOfTheSource() {
    String tag = container.stored("source", "x").etag();
    container.storedLog("log");
    List<Supplier<WireRequest>> forms =
        List.of(
            () -> copy().header("x-ms-requires-sync", "true"),
            () -> blockFromUrl("1"),
            () ->
                container.on("PUT", "log", "comp=appendblock").header("x-ms-copy-source", source));
    for (Supplier<WireRequest> form : forms) {
      WireAnswer other = form.get().header("x-ms-source-if-match", "\"0x1\"").send();
      refused(
          other,
          412,
          "CannotVerifyCopySource",
          "Could not verify the copy source within the specified time.");
      expect(other).header("x-ms-copy-source-error-code", "ConditionNotMet");
      expect(form.get().header("x-ms-source-if-none-match", tag).send())
          .status(304)
          .header("x-ms-error-code", "CannotVerifyCopySource")
          .emptyBody();
    }
  }

  @Test
  @Documented("blob-features 10.2 A7: syncuploadfromurl/recording_destination_conditon and source")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2022")
  @Differs("Azurite 3.37.0 does not have it")
  void theConditionsOfPutBlobFromUrlAreThoseOfACopy() {
    String sourceTag = container.stored("source", "x").etag();
    String tag = container.stored("b", "old").etag();
    refused(
        fromUrl().header("If-Match", "\"0x1\"").send(),
        412,
        "TargetConditionNotMet",
        "The target condition specified using HTTP conditional header(s) is not met.");
    refused(fromUrl().header("If-None-Match", tag).send(), 412, "TargetConditionNotMet");
    refused(
        fromUrl().header("x-ms-source-if-match", "\"0x1\"").send(),
        412,
        "SourceConditionNotMet",
        "The source condition specified using HTTP conditional header(s) is not met.");
    refused(
        fromUrl().header("x-ms-source-if-none-match", sourceTag).send(),
        412,
        "SourceConditionNotMet");
    refused(fromUrl().header("If-None-Match", "*").send(), 409, "BlobAlreadyExists");
    assertThat(container.content("b")).isEqualTo("old");
    expect(fromUrl().header("If-Match", tag).header("x-ms-source-if-match", sourceTag).send())
        .status(201);
    assertThat(container.content("b")).isEqualTo("x");
    expect(
            container
                .lease("b", "acquire")
                .header("x-ms-lease-duration", "15")
                .header("x-ms-proposed-lease-id", "11111111-aaaa-4aaa-8aaa-111111111111")
                .send())
        .status(201);
    expect(fromUrl().header("x-ms-lease-id", "11111111-aaaa-4aaa-8aaa-111111111111").send())
        .status(201);
  }

  @Test
  @Documented("blob-rest 10.8, 16: conditions on the destination")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theDestinationMayHaveConditions() {
    storeSource();
    String tag = container.stored("b", "old").etag();
    refused(
        copy().header("If-Match", "\"0x1\"").send(),
        412,
        "TargetConditionNotMet",
        "The target condition specified using HTTP conditional header(s) is not met.");
    refused(copy().header("If-None-Match", tag).send(), 412, "TargetConditionNotMet");
    refused(
        copy().header("x-ms-requires-sync", "true").header("If-Match", "\"0x1\"").send(),
        412,
        "ConditionNotMet");
    assertThat(container.content("b")).isEqualTo("old");
    expect(copy().header("If-Match", tag).send()).status(202);
    WireAnswer again = copy().header("If-None-Match", "*").send();
    assertThat(again.status()).as("%s", again).isIn(409, 412);
  }

  @Test
  @Documented("blob-rest 10.8, 16; blob-features 5.4: a source that does not exist")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aSourceMustBeThere() {
    WireAnswer missingSource = copy().send();
    refused(missingSource, 404, "CannotVerifyCopySource", "The specified resource does not exist.");
    expect(missingSource)
        .header("x-ms-copy-source-status-code", "404")
        .header("x-ms-copy-source-error-code", "BlobNotFound");
    refused(container.head("b").send(), 404, "BlobNotFound");
    ScratchContainer missing = ScratchContainer.named(ScratchContainer.freshName());
    refused(container.copy("b", missing.url("x")).send(), 404, "CannotVerifyCopySource");
    storeSource();
    refused(missing.copy("b", source).send(), 404, "ContainerNotFound");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://192.0.2.1/devstoreaccount1/c/b",
        "https://example.org/b",
        "http://127.0.0.1:1/a/b/c"
      })
  @Documented("blob-rest 10.8, 20.11; blob-features 5.5: do: only hosts that are listed are read")
  @Differs("Azure reads from them; Azurite 3.37.0 does not ask them and answers 404")
  void hostsThatAreNotListedAreNeverAsked(String url) {
    WireAnswer answer = container.copy("b", url).send();
    refused(answer, 403, "CannotVerifyCopySource");
    expect(answer).header("x-ms-copy-source-status-code", "403");
  }

  @ParameterizedTest
  @ValueSource(strings = {"not a url", "/c/b", ""})
  @Documented("blob-rest 10.8: a source that is not a URL")
  void aSourceMustBeAUrl(String url) {
    expect(container.copy("b", url).send()).refused();
  }

  @Test
  @Documented("blob-rest 10.8, 16: a destination of another type, or with a fixed lease")
  void aDestinationMustSuit() {
    storeSource();
    container.storedLog("b");
    refused(copy().send(), 409, "InvalidBlobType");
    container.stored("c", "x");
    String id = "11111111-aaaa-4aaa-8aaa-111111111111";
    expect(
            container
                .lease("c", "acquire")
                .header("x-ms-lease-duration", "15")
                .header("x-ms-proposed-lease-id", id)
                .send())
        .status(201);
    refused(
        container.copy("c", source).header("x-ms-lease-id", id).send(),
        412,
        "InfiniteLeaseDurationRequired",
        "The lease ID matched, but the specified lease must be an infinite-duration lease.");
  }

  @Test
  @Documented("blob-rest 10.8, 16: there is no pending copy to abort")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void thereIsNothingToAbort() {
    storeSource();
    String id = copy().send().header("x-ms-copy-id").orElse("");
    refused(
        abort(id), 409, "NoPendingCopyOperation", "There is currently no pending copy operation.");
    WireAnswer answer = abort("x");
    refused(answer, 400, "InvalidQueryParameterValue");
    assertThat(answer.text()).contains("<Reason>copyid needs to be valid Guid.</Reason>");
  }

  private WireAnswer abort(String id) {
    return container
        .on("PUT", "b", "comp=copy&copyid=" + id)
        .header("x-ms-copy-action", "abort")
        .send();
  }

  @Test
  @Documented("blob-rest 10.9: Put Blob From URL")
  @Differs("Azurite 3.37.0 does not have it")
  void aBlobIsPutFromAUrl() {
    storeSource();
    expect(fromUrl().header("If-None-Match", "*").send())
        .status(201)
        .hasHeader("ETag")
        .header("x-ms-request-server-encrypted", "true");
    assertThat(container.content("b")).isEqualTo("hello world");
    expect(container.head("b").send())
        .header("Content-Type", "text/plain")
        .lacksHeader("x-ms-copy-id");
    expect(
            fromUrl()
                .header("x-ms-copy-source-blob-properties", "false")
                .header("x-ms-meta-new", "1")
                .send())
        .status(201);
    expect(container.head("b").send())
        .header("Content-Type", "application/octet-stream")
        .header("x-ms-meta-new", "1")
        .lacksHeader("x-ms-meta-owner");
    refused(
        container.copy("c", container.url("none")).header("x-ms-blob-type", "BlockBlob").send(),
        404,
        "CannotVerifyCopySource");
  }

  @Test
  @Documented(
      "blob-rest 6; blob-features 10.2 A20, 10.3: syncuploadfromurl/recording_sourcecontentmd5")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2022")
  @Differs("Azurite 3.37.0 does not have it")
  void theAnswerHasTheMd5OfTheSourceOnlyIfItWasGiven() {
    storeSource();
    expect(fromUrl().send())
        .status(201)
        .header("x-ms-content-crc64", "vo7q9sPVKY0=")
        .lacksHeader("Content-MD5");
    expect(container.get("b").send()).header("Content-MD5", Checksums.md5("hello world"));
    String md5 = "x-ms-source-content-md5";
    expect(fromUrl().header(md5, Checksums.md5("hello world")).send())
        .status(201)
        .header("Content-MD5", Checksums.md5("hello world"))
        .lacksHeader("x-ms-content-crc64");
    expect(
            fromUrl()
                .header("x-ms-version", "2026-10-06")
                .header(md5, Checksums.md5("hello world"))
                .send())
        .status(201)
        .header("Content-MD5", Checksums.md5("hello world"))
        .header("x-ms-content-crc64", "vo7q9sPVKY0=");
    WireAnswer wrong = fromUrl().header(md5, Checksums.md5("other")).send();
    refused(wrong, 400, "Md5Mismatch");
    assertThat(wrong.text())
        .contains("<ServerCalculatedMd5>" + Checksums.md5("hello world") + "</");
  }

  @Test
  @Documented(
      "blob-features 10.2 A7: syncuploadfromurl/recording_set_some_of_the_properties_on_the_request")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020-11-26")
  @Differs("Azurite 3.37.0 does not have it")
  void thePropertiesOfTheRequestOverrideThoseOfTheSource() {
    storeSource();
    expect(
            fromUrl()
                .header("x-ms-blob-content-type", "image/png")
                .header("x-ms-blob-content-language", "fr")
                .send())
        .status(201);
    expect(container.get("b").send())
        .header("Content-Type", "image/png")
        .header("Content-Language", "fr")
        .header("Content-Disposition", "attachment")
        .header("Cache-Control", "max-age=5")
        .header("Content-MD5", Checksums.md5("hello world"))
        .header("x-ms-meta-owner", "ann");
    expect(
            fromUrl()
                .header("x-ms-copy-source-blob-properties", "false")
                .header("x-ms-blob-content-language", "fr")
                .send())
        .status(201);
    expect(container.get("b").send())
        .header("Content-Type", "application/octet-stream")
        .header("Content-Language", "fr")
        .lacksHeader("Content-Disposition")
        .lacksHeader("Cache-Control");
  }

  @Test
  @Documented("blob-rest 12.3, 11.1: Put Block From URL")
  void aBlockIsPutFromAUrl() {
    storeSource();
    expect(blockFromUrl("1").header("x-ms-source-range", "bytes=6-10").send())
        .status(201)
        .header("x-ms-request-server-encrypted", "true");
    expect(blockFromUrl("2").header("x-ms-source-range", "bytes=0-4").send()).status(201);
    expect(container.commit("b", "Latest:1", "Latest:2").send()).status(201);
    assertThat(container.content("b")).isEqualTo("worldhello");
    expect(blockFromUrl("1").send()).status(201);
    expect(container.commit("b", "Latest:1").send()).status(201);
    assertThat(container.content("b")).isEqualTo("hello world");
  }

  private WireRequest blockFromUrl(String id) {
    String encoded = Keys.encode(ScratchContainer.blockId(id));
    return container
        .on("PUT", "b", "comp=block&blockid=" + encoded)
        .header("x-ms-copy-source", source);
  }

  @Test
  @Documented("blob-rest 12.3: Append Block From URL")
  void aBlockIsAppendedFromAUrl() {
    storeSource();
    container.storedLog("b");
    expect(
            appendFromUrl()
                .header("x-ms-source-range", "bytes=6-10")
                .header("x-ms-source-content-md5", Checksums.md5("world"))
                .send())
        .status(201)
        .header("x-ms-blob-append-offset", "0")
        .header("x-ms-blob-committed-block-count", "1");
    expect(appendFromUrl().send()).status(201).header("x-ms-blob-append-offset", "5");
    assertThat(container.content("b")).isEqualTo("worldhello world");
    refused(
        appendFromUrl().header("x-ms-source-content-md5", Checksums.md5("other")).send(),
        400,
        "Md5Mismatch");
    expect(appendFromUrl().header("x-ms-source-range", "bytes=90-99").send()).refused();
    assertThat(container.content("b")).isEqualTo("worldhello world");
  }

  @Test
  @Documented("blob-features 10.2 A20: both checksums since version 2026-10-06")
  void blocksFromAUrlAnswerWithBothChecksumsInNewVersions() {
    storeSource();
    container.storedLog("b");
    String md5 = Checksums.md5("hello world");
    String header = "x-ms-source-content-md5";
    ScratchContainer other = ScratchContainer.create();
    String block = "comp=block&blockid=" + Keys.encode(ScratchContainer.blockId("1"));
    for (String version : List.of("2026-10-06", WireRequest.NEWER_VERSION)) {
      List<WireRequest> forms =
          List.of(appendFromUrl(), other.on("PUT", "b", block).header("x-ms-copy-source", source));
      for (WireRequest form : forms) {
        WireAnswer answer = form.header("x-ms-version", version).header(header, md5).send();
        expect(answer).status(201).header("Content-MD5", md5);
        if (version.equals("2026-10-06")) {
          expect(answer).header("x-ms-content-crc64", "vo7q9sPVKY0=");
        } else {
          expect(answer).lacksHeader("x-ms-content-crc64");
        }
      }
    }
  }

  @Test
  @Documented("blob-rest 11.1, 12.2, 12.3: do: an empty source is refused like an empty body")
  void aBlockFromAUrlIsNotEmpty() {
    container.stored("source", "");
    headerRefused(blockFromUrl("1").send(), "Content-Length", "0");
    refused(
        container.on("GET", "b", "comp=blocklist&blocklisttype=all").send(), 404, "BlobNotFound");
    expect(fromUrl().send()).status(201);
    assertThat(container.content("b")).isEmpty();
    expect(container.delete("b").send()).status(202);
    container.storedLog("b");
    headerRefused(appendFromUrl().send(), "Content-Length", "0");
    assertThat(container.property("b", "x-ms-blob-committed-block-count")).isEqualTo("0");
  }

  private WireRequest appendFromUrl() {
    return container.on("PUT", "b", "comp=appendblock").header("x-ms-copy-source", source);
  }

  @Test
  @Documented(
      "blob-rest 10.8, 7: a signature that covers the destination does not cover the source")
  void theSourceNeedsItsOwnPermission() {
    storeSource();
    refused(copy().sas(container.access("b", "cw")).send(), 401, "CannotVerifyCopySource");
    String readable = source + "?" + container.access("source", "r").token();
    expect(container.copy("b", readable).sas(container.access("b", "cw")).send()).status(202);
    assertThat(container.content("b")).isEqualTo("hello world");
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("blob-features 5.3, 5.4, 10.2 A6: a signature in the source decides, Azurite #2317")
  void aSignatureInTheSourceDecidesAlone() {
    storeSource();
    String readable = source + "?" + container.access("source", "r").token();
    String writable = source + "?" + container.access("source", "w").token();
    String altered = source + "?" + container.access("source", "r").tokenAltered("sp", "rw");
    for (String form : List.of("copy", "sync", "put", "block")) {
      expect(send(form, readable)).status(form.matches("put|block") ? 201 : 202);
      sourceRefused(send(form, writable), "AuthorizationPermissionMismatch");
      sourceRefused(send(form, altered), "AuthenticationFailed");
    }
    WireAnswer bySas = container.copy("c", writable).sas(container.access("c", "cw")).send();
    sourceRefused(bySas, "AuthorizationPermissionMismatch");
    refused(container.head("c").send(), 404, "BlobNotFound");
    String tags = "x-ms-copy-source-tag-option";
    sourceRefused(
        container
            .copy("c", readable)
            .header("x-ms-requires-sync", "true")
            .header(tags, "COPY")
            .send(),
        "AuthorizationPermissionMismatch");
    String tagged = source + "?" + container.access("source", "rt").token();
    expect(
            container
                .copy("c", tagged)
                .header("x-ms-requires-sync", "true")
                .header(tags, "COPY")
                .send())
        .status(202);
    expect(container.head("c").send()).header("x-ms-tag-count", "1");
  }

  /** Sends one of the forms of a copy with the account key. */
  private WireAnswer send(String form, String url) {
    WireRequest copy = container.copy("b", url);
    return switch (form) {
      case "sync" -> copy.header("x-ms-requires-sync", "true").send();
      case "put" -> copy.header("x-ms-blob-type", "BlockBlob").send();
      case "block" -> blockFromUrl("1").header("x-ms-copy-source", url).send();
      default -> copy.send();
    };
  }

  private static void sourceRefused(WireAnswer answer, String sourceCode) {
    refused(answer, 403, "CannotVerifyCopySource");
    expect(answer)
        .header("x-ms-copy-source-status-code", "403")
        .header("x-ms-copy-source-error-code", sourceCode);
    assertThat(answer.text())
        .contains("<CopySourceStatusCode>403</CopySourceStatusCode>")
        .contains("<CopySourceErrorCode>" + sourceCode + "</CopySourceErrorCode>")
        .contains("<CopySourceErrorMessage>");
  }
}
