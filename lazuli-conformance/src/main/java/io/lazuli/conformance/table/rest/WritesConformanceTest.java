package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replaces, merges, upserts and deletes, by the stored entity and the ETag that the client sends.
 */
@Covers(Area.CONCURRENCY)
class WritesConformanceTest {

  private static final String STALE = "W/\"datetime'2024-01-15T10%3A29%3A00Z'\"";

  private final ScratchTable table = ScratchTable.create();

  enum Tag {
    NONE,
    ANY,
    CURRENT,
    STALE
  }

  record Attempt(String method, Tag tag, boolean present) {

    /** Returns the status that the tables of table-rest 6.10 and 6.11 require. */
    int expectedStatus() {
      if (method.equals("DELETE") && tag == Tag.NONE) {
        return 400;
      }
      if (tag == Tag.NONE) {
        return 204;
      }
      return !present ? 404 : tag == Tag.STALE ? 412 : 204;
    }

    String expectedCode() {
      return switch (expectedStatus()) {
        case 400 -> "InvalidInput";
        case 404 -> "ResourceNotFound";
        case 412 -> "UpdateConditionNotSatisfied";
        default -> "";
      };
    }
  }

  static List<Attempt> attempts() {
    List<Attempt> all = new ArrayList<>();
    for (String method : List.of("PUT", "PATCH", "MERGE", "DELETE")) {
      for (Tag tag : Tag.values()) {
        all.add(new Attempt(method, tag, true));
        all.add(new Attempt(method, tag, false));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("attempts")
  @Documented("table-rest 6.10, 6.11, 15 upsert matrix, 15 concurrency: 404 beats 412")
  void aWriteDependsOnWhatIsThereAndOnTheTag(Attempt attempt) {
    String current = attempt.present() ? table.inserted(entity("r", "\"A\":1,\"B\":1")) : STALE;
    WireRequest request = table.wire().request(attempt.method(), table.path("p", "r"));
    if (!attempt.method().equals("DELETE")) {
      request.body("{\"B\":2,\"C\":2}");
    }
    switch (attempt.tag()) {
      case ANY -> request.ifMatch("*");
      case CURRENT -> request.ifMatch(current);
      case STALE -> request.ifMatch(STALE);
      case NONE -> request.without("If-Match");
    }
    WireAnswer answer = request.send();
    expect(answer).status(attempt.expectedStatus());
    assertThat(answer.errorCode()).isEqualTo(attempt.expectedCode());
    if (answer.status() == 204 && !attempt.method().equals("DELETE")) {
      assertThat(answer.etag()).isNotEqualTo(current);
    }
    expectStored(attempt, answer.status() == 204);
  }

  private void expectStored(Attempt attempt, boolean done) {
    boolean delete = attempt.method().equals("DELETE");
    boolean there = done ? !delete : attempt.present();
    assertThat(table.rows()).hasSize(there ? 1 : 0);
    if (there) {
      JsonNode stored = table.stored("p", "r");
      boolean merged = !attempt.method().equals("PUT");
      assertThat(stored.has("A")).isEqualTo(attempt.present() && (!done || merged));
      assertThat(stored.path("B").asInt()).isEqualTo(done ? 2 : 1);
      assertThat(stored.has("C")).isEqualTo(done);
    }
  }

  @Test
  @Documented("table-rest 6.8, 6.10: If-None-Match is uncertain, do: ignore")
  void ifNoneMatchIsIgnored() {
    String tag = table.inserted(entity("r"));
    expect(table.read("p", "r").header("If-None-Match", tag).send()).status(200);
    expect(table.wire().put(table.path("p", "r"), "{}").header("If-None-Match", "*").send())
        .status(204);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.6")
  void aTagIsRecognisedInItsVariants(Spelling spelling) {
    String tag = spelling.of(table.inserted(entity("r")));
    expect(table.wire().put(table.path("p", "r"), "{}").ifMatch(tag).send()).status(204);
    expect(table.wire().put(table.path("p", "r"), "{}").ifMatch(tag).send()).status(412);
  }

  enum Spelling {
    AS_SENT,
    LOWER_CASE_ESCAPES,
    RAW_COLONS,
    WITHOUT_CLOSING_QUOTE;

    String of(String tag) {
      return switch (this) {
        case AS_SENT -> tag;
        case LOWER_CASE_ESCAPES -> tag.replace("%3A", "%3a");
        case RAW_COLONS -> tag.replace("%3A", ":");
        case WITHOUT_CLOSING_QUOTE -> tag.substring(0, tag.length() - 1);
      };
    }
  }

  @Test
  @Documented("table-rest 4.6: do: an ETag never repeats")
  void everyWriteMakesANewTag() {
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      tags.add(table.wire().put(table.path("p", "r"), "{}").send().etag());
      tags.add(table.wire().patch(table.path("p", "r"), "{}").send().etag());
      table.wire().delete(table.path("p", "r")).ifMatch("*").send();
      tags.add(table.inserted(entity("r")));
    }
    assertThat(tags).doesNotHaveDuplicates();
  }

  @Test
  @Documented("table-rest 6.10")
  void aReplaceKeepsNothingAndAMergeKeepsWhatIsNotSent() {
    table.inserted(entity("r", "\"A\":1,\"B\":1"));
    table.wire().patch(table.path("p", "r"), "{\"B\":\"two\",\"C\":3}").send();
    JsonNode merged = table.stored("p", "r");
    assertThat(merged.path("A").asInt()).isEqualTo(1);
    assertThat(merged.path("B").asText()).isEqualTo("two");
    assertThat(merged.path("C").asInt()).isEqualTo(3);
    table.wire().put(table.path("p", "r"), "{}").send();
    assertThat(table.stored("p", "r")).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"V\":2}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":2}",
        "{\"PartitionKey\":\"other\",\"RowKey\":\"keys\",\"V\":2}",
        "{\"PartitionKey\":null,\"V\":2}"
      })
  @Documented("table-rest 4.4: the URL decides")
  void keysInTheBodyOfAnUpdateAreRedundant(String json) {
    for (String method : List.of("PUT", "PATCH")) {
      expect(table.wire().request(method, table.path("p", "r")).body(json).send()).status(204);
      assertThat(table.rows()).containsExactly("r");
      assertThat(table.stored("p", "r").path("V").asInt()).isEqualTo(2);
    }
  }

  @Test
  @Documented("mission T4, table-rest 1")
  void entitiesAreOrderedByPartitionThenRowInUnitsOfUtf16() {
    List<String> ordered = List.of("", "A", "B", "a", "ab", "b", "é", "日", "😀", "！");
    for (String key : List.of("日", "b", "！", "", "ab", "😀", "B", "é", "a", "A")) {
      table.inserted("{\"PartitionKey\":\"" + key + "\",\"RowKey\":\"x\"}");
      table.inserted("{\"PartitionKey\":\"same\",\"RowKey\":\"" + key + "\"}");
    }
    assertThat(table.rowsMatching("PartitionKey eq 'same'")).isEqualTo(ordered);
    List<String> partitions = new ArrayList<>();
    table
        .query("$filter=RowKey%20eq%20'x'")
        .send()
        .values()
        .forEach(found -> partitions.add(found.path("PartitionKey").asText()));
    assertThat(partitions).isEqualTo(ordered);
  }
}
