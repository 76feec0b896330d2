package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Header;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entity group transactions: their effects, their answers and their failures. */
@Covers(Area.BATCH)
class BatchConformanceTest {

  private static final String STALE = "If-Match: W/\"datetime'2024-01-15T10%3A29%3A00Z'\"";

  private final ScratchTable table = ScratchTable.create();

  private WireAnswer send(BatchText batch) {
    return table.wire().batch(batch).send();
  }

  /** Sends a batch that must fail, and returns the only part of its 202 answer. */
  private WireAnswer failure(BatchText batch) {
    WireAnswer answer = send(batch);
    expect(answer).status(202);
    assertThat(answer.parts()).as(answer.toString()).hasSize(1);
    return answer.parts().get(0);
  }

  private String resource(String rowKey) {
    return table.path("p", rowKey);
  }

  @Test
  @Documented("table-rest 8.4")
  void everyKindOfWriteInOneTransaction() {
    for (String row : List.of("put", "patch", "merge", "delete")) {
      table.inserted(entity(row, "\"A\":1"));
    }
    BatchText batch =
        table
            .batch()
            .insert(table.name(), entity("new"))
            .add("POST", table.path(), entity("echo", "\"V\":7"))
            .add("PUT", resource("put"), "{\"B\":2}", "If-Match: *")
            .add("PATCH", resource("patch"), "{\"B\":2}", "If-Match: *")
            .add("MERGE", resource("merge"), "{\"B\":2}", "If-Match: *")
            .add("PUT", resource("upsert"), "{\"B\":2}")
            .add("MERGE", resource("upsert2"), "{\"B\":2}")
            .add("DELETE", resource("delete"), "", "If-Match: *");
    List<WireAnswer> parts = send(batch).parts();
    assertThat(parts.stream().map(WireAnswer::status))
        .containsExactly(204, 201, 204, 204, 204, 204, 204, 204);
    assertThat(parts.get(1).json().path("V").asInt()).isEqualTo(7);
    assertThat(table.rows())
        .containsExactly("echo", "merge", "new", "patch", "put", "upsert", "upsert2");
    assertThat(table.stored("p", "put").has("A")).isFalse();
    assertThat(table.stored("p", "patch").has("A")).isTrue();
    assertThat(table.read("p", "put").send().etag()).isEqualTo(parts.get(2).etag());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST | Prefer: return-no-content | X-Content-Type-Options Cache-Control"
            + " Preference-Applied DataServiceVersion Location DataServiceId ETag",
        "POST | X-Nothing: 1 | X-Content-Type-Options Cache-Control DataServiceVersion"
            + " Content-Type Location ETag",
        "POST | Prefer: return-content | X-Content-Type-Options Cache-Control Preference-Applied"
            + " DataServiceVersion Content-Type Location ETag",
        "PUT | If-Match: * | X-Content-Type-Options Cache-Control DataServiceVersion ETag",
        "MERGE | If-Match: * | X-Content-Type-Options Cache-Control DataServiceVersion ETag",
        "PATCH | X-Nothing: 1 | X-Content-Type-Options Cache-Control DataServiceVersion ETag",
        "DELETE | If-Match: * | X-Content-Type-Options Cache-Control DataServiceVersion"
      })
  @Documented("table-rest 8.4")
  @Differs("Azurite 3.37.0 has other headers in another order")
  void partsHaveTheirHeadersInTheRecordedOrder(String method, String header, String expected) {
    table.inserted(entity("old"));
    boolean insert = method.equals("POST");
    String body = insert ? entity("new") : method.equals("DELETE") ? "" : "{}";
    BatchText batch =
        table.batch().add(method, insert ? table.path() : resource("old"), body, header);
    WireAnswer part = send(batch).parts().get(0);
    assertThat(part.headers().stream().map(Header::name))
        .as(part.toString())
        .containsExactly(expected.split(" ", -1));
    expect(part).header("DataServiceVersion", insert ? "3.0;" : "1.0;");
  }

  @Test
  @Documented("table-rest 8.4")
  void theOuterAnswerIsMultipartAndAccepted() {
    WireAnswer answer = send(table.batch().insert(table.name(), entity("r")));
    expect(answer)
        .status(202)
        .header("Cache-Control", "no-cache")
        .header("X-Content-Type-Options", "nosniff");
    assertThat(answer.header("Content-Type").orElseThrow())
        .matches("multipart/mixed; boundary=batchresponse_[0-9a-f-]{36}");
  }

  @Test
  @Documented("table-rest 8.1, mission T6")
  void hundredOperationsAreTheMost() {
    BatchText full = table.batch();
    for (int i = 0; i < 100; i++) {
      full.insert(table.name(), entity("%03d".formatted(i)));
    }
    assertThat(send(full).parts()).hasSize(100).allMatch(part -> part.status() == 204);
    BatchText over = table.batch();
    for (int i = 0; i < 101; i++) {
      over.insert(table.name(), entity("x%03d".formatted(i)));
    }
    expect(failure(over))
        .error(
            400,
            "InvalidInput",
            "99:The batch request operation exceeds the maximum 100 changes per change set.");
    assertThat(table.rows()).hasSize(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @Documented("table-rest 8.1")
  @Differs("Azurite 3.37.0 stores both")
  void allOperationsAreOnOnePartition(int index) {
    BatchText batch = table.batch();
    for (int i = 0; i < index; i++) {
      batch.insert(table.name(), entity("r" + i));
    }
    batch.insert(table.name(), "{\"PartitionKey\":\"q\",\"RowKey\":\"r\"}");
    expect(failure(batch))
        .error(
            400,
            "CommandsInBatchActOnDifferentPartitions",
            index + ":All commands in a batch must operate on same entity group.");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 8.1: do")
  void allOperationsAreOnOneTableInAnyLetterCase() {
    ScratchTable other = ScratchTable.create();
    BatchText two =
        table.batch().insert(table.name(), entity("1")).insert(other.name(), entity("2"));
    expect(failure(two)).error(400, "CommandsInBatchActOnDifferentPartitions");
    assertThat(table.rows()).isEmpty();
    String lower = table.name().toLowerCase(Locale.ROOT);
    BatchText one = table.batch().insert(table.name(), entity("1")).insert(lower, entity("2"));
    assertThat(send(one).parts()).hasSize(2).allMatch(part -> part.status() == 204);
  }

  @Test
  @Documented("table-rest 8.1")
  void anEntityAppearsOnce() {
    table.inserted(entity("r"));
    BatchText batch =
        table
            .batch()
            .insert(table.name(), entity("first"))
            .add("PUT", resource("r"), "{}")
            .add("DELETE", resource("r"), "", "If-Match: *");
    expect(failure(batch))
        .error(
            400,
            "InvalidDuplicateRow",
            "2:The batch request contains multiple changes with same row key. An entity can appear"
                + " only once in a batch request.");
    assertThat(table.rows()).containsExactly("r");
  }

  /**
   * Failures at commit. The message starts with the index of the operation, unless the batch has
   * only one.
   */
  @ParameterizedTest
  @CsvSource({
    "insert, 409, EntityAlreadyExists, The specified entity already exists.",
    "update, 404, ResourceNotFound, The specified resource does not exist.",
    "merge, 404, ResourceNotFound, The specified resource does not exist.",
    "delete, 404, ResourceNotFound, The specified resource does not exist.",
    "stale, 412, UpdateConditionNotSatisfied, "
        + "The update condition specified in the request was not satisfied."
  })
  @Documented("table-rest 8.5, 15 batch: each failure at index 0 and beyond")
  void theFirstFailureUndoesEverything(String kind, int status, String code, String message) {
    table.inserted(entity("there", "\"A\":1"));
    for (int before = 0; before < 3; before++) {
      for (int after = 0; after < 2; after++) {
        BatchText batch = table.batch();
        for (int i = 0; i < before; i++) {
          batch.insert(table.name(), entity("before" + i));
        }
        fail(batch, kind);
        for (int i = 0; i < after; i++) {
          batch.insert(table.name(), entity("after" + i));
        }
        String prefix = before + after == 0 ? "" : before + ":";
        expect(failure(batch)).error(status, code, prefix + message);
        assertThat(table.rows()).containsExactly("there");
        assertThat(table.stored("p", "there").path("A").asInt()).isEqualTo(1);
      }
    }
  }

  private void fail(BatchText batch, String kind) {
    switch (kind) {
      case "insert" -> batch.insert(table.name(), entity("there"));
      case "update" -> batch.add("PUT", resource("none"), "{}", "If-Match: *");
      case "merge" -> batch.add("MERGE", resource("none"), "{}", "If-Match: *");
      case "delete" -> batch.add("DELETE", resource("none"), "", "If-Match: *");
      default -> batch.add("PUT", resource("there"), "{\"A\":2}", STALE);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"PartitionKey\":\"p\"} | PropertiesNeedValue",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"x\",\"1a\":1} | PropertyNameInvalid",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"a#b\"} | OutOfRangeInput",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"x\",\"A\":[]} | InvalidInput",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"x\",\"A\":1,\"A\":1} | DuplicatePropertiesSpecified",
        "{\"PartitionKey\":\"p\",\"RowKey\" | InvalidInput"
      })
  @Documented("table-rest 8.5")
  void anEntityThatIsRefusedNamesItsIndex(String json, String code) {
    for (int before = 0; before < 2; before++) {
      BatchText batch = table.batch();
      for (int i = 0; i < before; i++) {
        batch.insert(table.name(), entity("before" + i));
      }
      WireAnswer part = failure(batch.insert(table.name(), json));
      expect(part).error(400, code);
      assertThat(part.errorMessage()).startsWith(before + ":");
      assertThat(table.rows()).isEmpty();
    }
  }

  @Test
  @Documented("table-rest 8.5")
  void aMissingTableAndABadNameHaveTheirIndex() {
    String missing = ScratchTable.freshName();
    expect(failure(table.batch().insert(missing, entity("r"))))
        .error(404, "TableNotFound", "0:The table specified does not exist.");
    expect(failure(table.batch().insert("1bad", entity("r"))))
        .error(
            400,
            "InvalidResourceName",
            "0:The specifed resource name contains invalid characters.");
    expect(failure(table.batch().insert("ab", entity("r")))).error(400, "OutOfRangeInput");
  }

  @Test
  @Documented("table-rest 8.5, 13.8")
  void aFailureHasOnePartWithAJsonError() {
    WireAnswer part = failure(table.batch().add("DELETE", resource("none"), "", "If-Match: *"));
    expect(part)
        .header("X-Content-Type-Options", "nosniff")
        .header("DataServiceVersion", "3.0;")
        .header(
            "Content-Type", "application/json;odata=minimalmetadata;streaming=true;charset=utf-8");
    table.inserted(entity("there"));
    expect(failure(table.batch().insert(table.name(), entity("there"))))
        .error(409, "EntityAlreadyExists")
        .header("Preference-Applied", "return-no-content");
    assertThat(part.errorText())
        .matches("(?s)The specified resource.*\nRequestId:[0-9a-f-]{36}\nTime:[0-9T:.-]{27}Z");
  }

  @Test
  @Documented("table-rest 8.1, 8.4")
  void aSingleReadMayBeABatch() {
    String tag = table.inserted(entity("r", "\"V\":1"));
    BatchText batch = table.batch().add("GET", resource("r"), "");
    WireAnswer answer = table.wire().batch(batch).body(batch.textOfReads()).send();
    expect(answer).status(202);
    assertThat(answer.parts()).hasSize(1);
    WireAnswer part = answer.parts().get(0);
    expect(part).status(200).header("ETag", tag);
    assertThat(part.headers().stream().map(Header::name))
        .containsExactly(
            "DataServiceVersion",
            "Content-Type",
            "X-Content-Type-Options",
            "Cache-Control",
            "ETag");
    assertThat(part.json().path("V").asInt()).isEqualTo(1);
    assertThat(answer.text()).doesNotContain("changesetresponse");
  }

  @Test
  @Documented("table-rest 8.5")
  void aSingleReadThatFindsNothingFailsInItsPart() {
    BatchText batch = table.batch().add("GET", resource("none"), "");
    WireAnswer answer = table.wire().batch(batch).body(batch.textOfReads()).send();
    expect(answer).status(202);
    expect(answer.parts().get(0))
        .error(404, "ResourceNotFound", "0:The specified resource does not exist.");
    assertThat(answer.text()).doesNotContain("changesetresponse");
  }

  @Test
  @Documented("table-rest 8.1: do")
  void readsDoNotMixWithOthers() {
    table.inserted(entity("r"));
    BatchText reads = table.batch().add("GET", resource("r"), "").add("GET", resource("r"), "");
    expect(table.wire().batch(reads).body(reads.textOfReads()).send()).refused();
    BatchText mixed =
        table.batch().add("GET", resource("r"), "").insert(table.name(), entity("new"));
    assertRefusedSomewhere(table.wire().batch(mixed).send());
    BatchText query = table.batch().add("GET", table.path() + "()", "");
    assertRefusedSomewhere(table.wire().batch(query).body(query.textOfReads()).send());
    BatchText create = table.batch().add("POST", "/Tables", "{\"TableName\":\"Xyz123\"}");
    assertRefusedSomewhere(send(create));
    assertThat(table.rows()).containsExactly("r");
  }

  /**
   * Expects an error of the whole batch or of one part, because the reference does not say which.
   */
  private static void assertRefusedSomewhere(WireAnswer answer) {
    expect(answer.status() == 202 ? answer.parts().get(0) : answer).refused();
  }

  @Test
  @Documented("table-rest 8.4")
  void aContentIdInsideTheRequestIsEchoed() {
    BatchText batch = table.batch().add("POST", table.path(), entity("r"), "Content-ID: 42");
    expect(send(batch).parts().get(0)).header("Content-ID", "42");
  }

  @Test
  @Documented("table-rest 8.4")
  void locationsAreWrittenAsOutside() {
    String key = "A'aaa\" é";
    String json = "{\"PartitionKey\":\"A'aaa\\\" é\",\"RowKey\":\"A'aaa\\\" é\"}";
    WireAnswer part = send(table.batch().insert(table.name(), json)).parts().get(0);
    String location = table.base() + "/" + Keys.resource(table.name(), key, key);
    expect(part).header("Location", location).header("DataServiceId", location);
  }

  @Test
  @Documented("table-rest 3.2")
  void theClientsRequestIdComesBackOutside() {
    String id = UUID.randomUUID().toString();
    WireAnswer answer =
        table
            .wire()
            .batch(table.batch().insert(table.name(), entity("r")))
            .header("x-ms-client-request-id", id)
            .send();
    expect(answer).header("x-ms-client-request-id", id).hasHeader("x-ms-request-id");
  }
}
