package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditional headers: every cell of the tables, for blobs and for containers. */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
class ConditionsConformanceTest {

  private static final String NOT_MET =
      "The condition specified using HTTP conditional header(s) is not met.";
  private static final String OTHER_TAG = "\"0x8D0000000000000\"";

  private final ScratchContainer container = ScratchContainer.create();

  /** The operations that are checked, each on an existing blob of the right type. */
  enum Call {
    GET_BLOB(true, 200),
    GET_PROPERTIES(true, 200),
    GET_METADATA(true, 200),
    PUT_BLOB(false, 201),
    PUT_BLOCK_LIST(false, 201),
    APPEND_BLOCK(false, 201),
    SET_METADATA(false, 200),
    SET_PROPERTIES(false, 200),
    SNAPSHOT(false, 201),
    LEASE(false, 201),
    DELETE(false, 202);

    final boolean read;
    final int success;

    Call(boolean read, int success) {
      this.read = read;
      this.success = success;
    }

    /** Creates the blob and returns the answer, whose ETag and date are used in conditions. */
    WireAnswer prepare(ScratchContainer container) {
      return this == APPEND_BLOCK ? container.storedLog("b") : container.stored("b", "x");
    }

    WireRequest on(ScratchContainer container) {
      return switch (this) {
        case GET_BLOB -> container.get("b");
        case GET_PROPERTIES -> container.head("b");
        case GET_METADATA -> container.on("GET", "b", "comp=metadata");
        case PUT_BLOB -> container.put("b", "y");
        case PUT_BLOCK_LIST -> container.commit("b");
        case APPEND_BLOCK -> container.append("b", "y");
        case SET_METADATA -> container.on("PUT", "b", "comp=metadata");
        case SET_PROPERTIES -> container.on("PUT", "b", "comp=properties");
        case SNAPSHOT -> container.on("PUT", "b", "comp=snapshot");
        case LEASE -> container.lease("b", "acquire").header("x-ms-lease-duration", "15");
        case DELETE -> container.delete("b");
      };
    }
  }

  /**
   * Adds a condition such as {@code If-Match: tag}. The word after the header stands for a value
   * from the stored blob.
   */
  private static WireRequest with(WireRequest request, String condition, WireAnswer stored) {
    int colon = condition.indexOf(':');
    String header = condition.substring(0, colon);
    String value = condition.substring(colon + 1).strip();
    Instant changed = HttpDates.lastModified(stored);
    String text =
        switch (value) {
          case "tag" -> stored.etag();
          case "bare" -> stored.etag().replace("\"", "");
          case "other" -> OTHER_TAG;
          case "now" -> WireRequest.httpDate(changed);
          case "before" -> WireRequest.httpDate(changed.minusSeconds(1));
          case "after" -> WireRequest.httpDate(changed.plusSeconds(1));
          case "old form" -> HttpDates.rfc850(changed);
          default -> value;
        };
    return request.header(header, text);
  }

  private static WireAnswer send(WireRequest request, String conditions, WireAnswer stored) {
    WireRequest with = request;
    for (String condition : conditions.split(",", -1)) {
      with = with(with, condition.strip(), stored);
    }
    return with.send();
  }

  private static void expectNotMet(Call call, WireAnswer answer, int status) {
    refused(answer, status, "ConditionNotMet");
    if (status == 304) {
      expect(answer).emptyBody();
    } else if (call != Call.GET_PROPERTIES) {
      expect(answer).error(412, "ConditionNotMet", NOT_MET);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 4.1, 20.5: conditions that hold, with and without quotes around ETags")
  void aConditionThatHoldsLetsTheOperationPass(Call call) {
    for (String condition :
        List.of(
            "If-Match: tag",
            "If-Match: bare",
            "If-Match: *",
            "If-None-Match: other",
            "If-Modified-Since: before",
            "If-Unmodified-Since: now",
            "If-Unmodified-Since: after",
            "If-Unmodified-Since: old form")) {
      ScratchContainer own = ScratchContainer.create();
      WireAnswer stored = call.prepare(own);
      WireAnswer answer = send(call.on(own), condition, stored);
      assertThat(answer.status()).as("%s %s", condition, answer).isEqualTo(call.success);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 4.1, 20.5: every cell of conditions that fail")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aConditionThatFailsIsAnsweredByTheKindOfOperation(Call call) {
    WireAnswer stored = call.prepare(container);
    expectNotMet(call, send(call.on(container), "If-Match: other", stored), 412);
    expectNotMet(call, send(call.on(container), "If-Unmodified-Since: before", stored), 412);
    int group = call.read ? 304 : 412;
    expectNotMet(call, send(call.on(container), "If-None-Match: tag", stored), group);
    expectNotMet(call, send(call.on(container), "If-None-Match: bare", stored), group);
    expectNotMet(call, send(call.on(container), "If-Modified-Since: now", stored), group);
    expectNotMet(call, send(call.on(container), "If-Modified-Since: after", stored), group);
    assertThat(container.property("b", "ETag")).isEqualTo(stored.etag());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "If-Match: other, If-Unmodified-Since: now, If-None-Match: other | 412",
        "If-Match: tag, If-Unmodified-Since: before | 412",
        "If-Match: other, If-None-Match: tag | 412",
        "If-Unmodified-Since: before, If-Modified-Since: now | 412",
        "If-Match: tag, If-Unmodified-Since: now, If-None-Match: other, If-Modified-Since: now |"
            + " 200",
        "If-None-Match: other, If-Modified-Since: now | 200",
        "If-Match: tag, If-Unmodified-Since: now, If-None-Match: tag, If-Modified-Since: before |"
            + " 200",
        "If-None-Match: tag, If-Modified-Since: before | 200",
        "If-None-Match: tag, If-Modified-Since: now | 304",
        "If-Match: tag, If-None-Match: tag, If-Modified-Since: now | 304",
        "If-Match: tag, If-Unmodified-Since: now, If-Modified-Since: now | 304",
        "If-Match: tag, If-Unmodified-Since: now, If-None-Match: tag | 304",
        "If-Match: tag, If-Unmodified-Since: now | 200"
      })
  @Documented("blob-rest 4.2, 20.5: the table of reads")
  void severalConditionsOfAReadCombine(String conditions, int status) {
    WireAnswer stored = container.stored("b", "x");
    expect(send(container.get("b"), conditions, stored)).status(status);
    expect(send(container.head("b"), conditions, stored)).status(status);
  }

  @Test
  @Documented("blob-rest 4.2: several ETags in one header")
  void aReadMayListSeveralTags() {
    String tag = container.stored("b", "x").etag();
    String both = OTHER_TAG + ", " + tag;
    expect(container.get("b").header("If-Match", both).send()).status(200);
    expect(container.get("b").header("If-None-Match", both).send()).status(304);
    String none = OTHER_TAG + ", \"0x1\"";
    expect(container.get("b").header("If-Match", none).send()).status(412);
    expect(container.get("b").header("If-None-Match", none).send()).status(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "If-None-Match: other, If-Modified-Since: after | 200",
        "If-None-Match: tag, If-Modified-Since: before | 412",
        "If-Match: tag, If-Unmodified-Since: before | 200",
        "If-Match: other, If-Unmodified-Since: after | 412",
        "If-Match: tag, If-None-Match: other | 400",
        "If-Match: tag, If-Modified-Since: before | 400",
        "If-None-Match: other, If-Unmodified-Since: after | 400",
        "If-Modified-Since: before, If-Unmodified-Since: after | 400",
        "If-Match: tag, If-Unmodified-Since: now, If-None-Match: other | 400"
      })
  @Documented("blob-rest 4.2, 20.5: the pairs that writes may have")
  void aWriteMayHaveFewConditions(String conditions, int status) {
    WireAnswer stored = container.stored("b", "x");
    WireAnswer answer = send(container.on("PUT", "b", "comp=metadata"), conditions, stored);
    expect(answer).status(status);
    if (status == 400) {
      refused(
          answer,
          400,
          "MultipleConditionHeadersNotSupported",
          "Multiple condition headers are not supported.");
    }
  }

  @Test
  @Documented("blob-rest 4.2: a write may name one ETag")
  void aWriteMayNotListSeveralTags() {
    String both = OTHER_TAG + ", " + container.stored("b", "x").etag();
    for (String header : List.of("If-Match", "If-None-Match")) {
      refused(
          container.put("b", "y").header(header, both).send(),
          400,
          "MultipleConditionHeadersNotSupported");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT_BLOB", "PUT_BLOCK_LIST", "CREATE_APPEND_BLOB", "PUT_FROM_URL"})
  @Documented("blob-rest 4.1, 10.1, 16: do not overwrite an existing blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aBlobThatMayNotBeOverwrittenExists(String call) {
    container.stored("source", "x");
    WireRequest create =
        switch (call) {
          case "PUT_BLOB" -> container.put("b", "y");
          case "PUT_BLOCK_LIST" -> container.commit("b");
          case "CREATE_APPEND_BLOB" -> container.putLog("b");
          default ->
              container.copy("b", container.url("source")).header("x-ms-blob-type", "BlockBlob");
        };
    expect(create.header("If-None-Match", "*").send()).status(201);
    refused(create.send(), 409, "BlobAlreadyExists", "The specified blob already exists.");
  }

  @Test
  @Documented("blob-rest 4.1: do: a read with If-None-Match: * fails")
  void aReadOfWhatMustNotBeThereFails() {
    container.stored("b", "x");
    refused(container.get("b").header("If-None-Match", "*").send(), 400, "UnsatisfiableCondition");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"PUT_BLOB", "PUT_BLOCK_LIST"})
  @Documented("blob-rest 4.3, 20.5: do: a blob that does not exist is not found")
  void conditionsDoNotHideThatABlobIsMissing(Call call) {
    for (String header : List.of("If-Match", "If-None-Match")) {
      refused(call.on(container).header(header, OTHER_TAG).send(), 404, "BlobNotFound");
    }
    String past = WireRequest.httpDate(Instant.now().minusSeconds(60));
    for (String header : List.of("If-Modified-Since", "If-Unmodified-Since")) {
      refused(call.on(container).header(header, past).send(), 404, "BlobNotFound");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT_BLOB", "PUT_BLOCK_LIST", "COPY"})
  @Documented("blob-rest 4.3, 20.5: operations that create a blob")
  void aCreationChecksItsConditionsAgainstAMissingBlob(String call) {
    container.stored("source", "x");
    refused(creation(call, "a").header("If-Match", OTHER_TAG).send(), 412, mismatch(call));
    refused(creation(call, "a").header("If-Match", "*").send(), 412, mismatch(call));
    refused(container.head("a").send(), 404, "BlobNotFound");
    int success = call.equals("COPY") ? 202 : 201;
    String past = WireRequest.httpDate(Instant.now().minusSeconds(60));
    expect(creation(call, "b").header("If-None-Match", OTHER_TAG).send()).status(success);
    expect(creation(call, "c").header("If-None-Match", "*").send()).status(success);
    expect(creation(call, "d").header("If-Modified-Since", past).send()).status(success);
    expect(creation(call, "e").header("If-Unmodified-Since", past).send()).status(success);
  }

  private static String mismatch(String call) {
    return call.equals("COPY") ? "TargetConditionNotMet" : "ConditionNotMet";
  }

  private WireRequest creation(String call, String blob) {
    return switch (call) {
      case "PUT_BLOB" -> container.put(blob, "y");
      case "PUT_BLOCK_LIST" -> container.commit(blob);
      default -> container.copy(blob, container.url("source"));
    };
  }

  @Test
  @Documented("blob-rest 4.4: operations that do not support conditions ignore them")
  void elsewhereConditionsAreIgnored() {
    container.stored("b", "x");
    expect(container.block("b", "1", "x").header("If-Match", OTHER_TAG).send()).status(201);
    expect(container.on("GET", "b", "comp=blocklist").header("If-Match", OTHER_TAG).send())
        .status(200);
    expect(container.list("").header("If-Match", OTHER_TAG).send()).status(200);
    expect(
            container
                .on("PUT", "b", "comp=tier")
                .header("x-ms-access-tier", "Cool")
                .header("If-Match", OTHER_TAG)
                .send())
        .status(200);
    expect(container.on("GET", "").header("If-Match", OTHER_TAG).send()).status(200);
  }

  @Test
  @Documented("blob-features 1.3, 10.3: test_blob_tags_conditional_headers of Python")
  void tagsHaveConditionsOfTheirOwnInNewVersions() {
    WireAnswer stored = container.stored("b", "x");
    Instant changed = HttpDates.lastModified(stored);
    Map<String, String> failing =
        Map.of(
            "x-ms-blob-if-match",
            OTHER_TAG,
            "x-ms-blob-if-none-match",
            stored.etag(),
            "x-ms-blob-if-modified-since",
            WireRequest.httpDate(changed),
            "x-ms-blob-if-unmodified-since",
            WireRequest.httpDate(changed.minusSeconds(1)));
    failing.forEach(
        (header, value) -> {
          refused(tags("PUT").header(header, value).send(), 412, "ConditionNotMet");
          WireAnswer read = tags("GET").header(header, value).send();
          assertThat(read.status()).as("%s", read).isIn(304, 412);
          expect(read).header("x-ms-error-code", "ConditionNotMet");
          expect(tags("PUT").header("x-ms-version", "2025-11-05").header(header, value).send())
              .status(204);
        });
    expect(tags("PUT").header("x-ms-blob-if-match", stored.etag()).send()).status(204);
    expect(tags("GET").header("x-ms-blob-if-none-match", OTHER_TAG).send()).status(200);
    for (String verb : List.of("GET", "PUT")) {
      WireAnswer ignoring = tags(verb).header("If-Match", OTHER_TAG).send();
      assertThat(ignoring.status()).as("%s", ignoring).isIn(200, 204);
    }
  }

  private WireRequest tags(String verb) {
    WireRequest request = container.on(verb, "b", "comp=tags").header("x-ms-version", "2026-02-06");
    return verb.equals("PUT") ? request.body("<Tags><TagSet /></Tags>") : request;
  }

  @ParameterizedTest
  @ValueSource(strings = {"comp=acl", "comp=lease", "delete"})
  @Documented("blob-rest 4.1: dates on containers")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void datesAreCheckedOnContainers(String call) {
    WireAnswer properties = container.on("GET", "").send();
    Instant changed = HttpDates.lastModified(properties);
    String before = WireRequest.httpDate(changed.minusSeconds(1));
    String now = WireRequest.httpDate(changed);
    refused(containerCall(call).header("If-Modified-Since", now).send(), 412, "ConditionNotMet");
    refused(
        containerCall(call).header("If-Unmodified-Since", before).send(), 412, "ConditionNotMet");
    WireAnswer passed = containerCall(call).header("If-Unmodified-Since", now).send();
    assertThat(passed.status()).as("%s", passed).isBetween(200, 202);
  }

  @Test
  @Documented("blob-rest 4.1: Set Container Metadata has If-Modified-Since only")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theMetadataOfAContainerHasOneCondition() {
    Instant changed = HttpDates.lastModified(container.on("GET", "").send());
    WireRequest set = container.on("PUT", "comp=metadata");
    refused(
        set.header("If-Modified-Since", WireRequest.httpDate(changed)).send(),
        412,
        "ConditionNotMet");
    expect(
            container
                .on("PUT", "comp=metadata")
                .header("If-Modified-Since", WireRequest.httpDate(changed.minusSeconds(1)))
                .send())
        .status(200);
  }

  private WireRequest containerCall(String call) {
    return switch (call) {
      case "delete" -> container.on("DELETE", "");
      case "comp=lease" ->
          container
              .on("PUT", call)
              .header("x-ms-lease-action", "acquire")
              .header("x-ms-lease-duration", "15");
      default -> container.on("PUT", call);
    };
  }
}
