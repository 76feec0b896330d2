package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One case for each well-known fault of Azurite, which Lazuli must not have. The section "From
 * Azurite" of {@code docs/differences.md} names the most visible of these faults.
 */
@Covers(Area.ERRORS)
@Documented("docs/differences.md, From Azurite")
class AzuriteFaultsConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  @Test
  @Differs("Azurite 3.37.0: 409 on create, 404 on reads and writes")
  void aTableIsTheSameInAnyLetterCase() {
    String upper = table.name().toUpperCase(Locale.ROOT);
    expect(table.wire().post("/" + upper, entity("r")).send()).status(201);
    expect(table.wire().get("/" + upper + "()").send()).status(200);
    assertThat(table.rows()).containsExactly("r");
  }

  @Test
  @Differs("Azurite 3.37.0 stores both")
  void aBatchOverTwoPartitionsIsRefused() {
    BatchText batch =
        table
            .batch()
            .insert(table.name(), entity("r"))
            .insert(table.name(), "{\"PartitionKey\":\"q\",\"RowKey\":\"r\"}");
    expect(table.wire().batch(batch).send().parts().get(0))
        .error(400, "CommandsInBatchActOnDifferentPartitions");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Differs("Azurite 3.37.0 answers 400")
  void jsonInABatchMaySpanLines() {
    BatchText batch =
        table.batch().insert(table.name(), "{\r\n\"PartitionKey\":\"p\",\r\n\"RowKey\":\"r\"\r\n}");
    expect(table.wire().batch(batch).send().parts().get(0)).status(204);
  }

  @Test
  @Differs("Azurite 3.37.0 answers 500")
  void pathsInABatchMayBeRelative() {
    BatchText batch = new BatchText("").insert(table.name(), entity("r"));
    expect(table.wire().batch(batch).send().parts().get(0)).status(204);
    assertThat(table.rows()).containsExactly("r");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "I eq 5L | ",
        "L eq 5 | r",
        "D gt 1e3 | r",
        "T eq datetime'2024-01-01T00:00:00.1239999Z' | ",
        "T gt datetime'2024-01-01T00:00:00.1235000Z' | r",
        "T eq '2024-01-01T00:00:00.1236000Z' | ",
        "G eq guid'AAAAAAAA-AAAA-AAAA-AAAA-AAAAAAAAAAAA' | r",
        "not (Missing eq 'x') | r"
      })
  @Covers(Area.FILTERS)
  @Differs("Azurite 3.37.0: 500, no match, or the wrong rows")
  void typedComparisons(String filter, String rows) {
    table.inserted(
        entity(
            "r",
            "\"I\":5,\"L@odata.type\":\"Edm.Int64\",\"L\":\"5\",\"D\":1500.5",
            "\"T@odata.type\":\"Edm.DateTime\",\"T\":\"2024-01-01T00:00:00.1236Z\"",
            "\"G@odata.type\":\"Edm.Guid\",\"G\":\"aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa\""));
    assertThat(String.join(" ", table.rowsMatching(filter))).isEqualTo(rows == null ? "" : rows);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"S eq null", "S ne null", "S eq 'a' Or S eq 'b'", "S EQ 'a'", "S eq 'a' aNd true"})
  @Covers(Area.FILTERS)
  @Differs("Azurite 3.37.0 accepts them")
  void filtersThatAzureRefuses(String filter) {
    expect(table.filter(filter).send()).error(400, "InvalidInput");
  }

  @Test
  @Covers(Area.FILTERS)
  @Differs("Azurite 3.37.0 leaves it out")
  void aSelectedPropertyThatIsMissingIsNull() {
    table.inserted(entity("r"));
    JsonNode entity = table.query("$select=Missing").send().values().get(0);
    assertThat(entity.has("Missing")).isTrue();
    assertThat(entity.hasNonNull("Missing")).isFalse();
  }

  @Test
  @Covers(Area.LIMITS)
  @Differs("Azurite 3.37.0 stores all three")
  void propertiesHaveTheirLimits() {
    String many =
        IntStream.range(0, 300).mapToObj(i -> "\"P" + i + "\":1").collect(Collectors.joining(","));
    expect(table.insert(entity("r", many)).send()).error(400, "TooManyProperties");
    expect(table.insert(entity("r", "\"" + "n".repeat(300) + "\":1")).send())
        .error(400, "PropertyNameTooLong");
    expect(table.insert(entity("r", "\"a-b c\":1")).send()).error(400, "PropertyNameInvalid");
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Edm.Int32 | 3000000000 | InvalidInput",
        "Edm.Int64 | \"abc\" | InvalidInput",
        "Edm.Int64 | \"18446744073709551616\" | InvalidInput",
        "Edm.Guid | \"nope\" | InvalidInput",
        "Edm.Binary | \"###\" | InvalidInput",
        "Edm.DateTime | \"garbage\" | InvalidInput",
        "Edm.DateTime | \"1600-01-01T00:00:00Z\" | OutOfRangeInput",
        "Edm.Decimal | 1.5 | InvalidInput"
      })
  @Covers(Area.TYPES)
  @Differs("Azurite 3.37.0 stores them; unknown types give 500")
  void valuesThatAreNotOfTheirType(String type, String value, String code) {
    String members = "\"V@odata.type\":\"" + type + "\",\"V\":" + value;
    expect(table.insert(entity("r", members)).send()).error(400, code);
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Covers(Area.LIMITS)
  @Differs("Azurite 3.37.0 stores it on POST and checks the length of the body on PUT")
  void anEntityOf1600KilobytesIsTooLarge() {
    String large =
        IntStream.range(0, 30)
            .mapToObj(i -> "\"P" + i + "\":\"" + "x".repeat(27_000) + "\"")
            .collect(Collectors.joining(","));
    expect(table.insert(entity("r", large)).send()).error(400, "EntityTooLarge");
    expect(table.wire().put(table.path("p", "r"), "{" + large + "}").send())
        .error(400, "EntityTooLarge");
    assertThat(table.rows()).isEmpty();
    String umlauts =
        IntStream.range(0, 15)
            .mapToObj(i -> "\"P" + i + "\":\"" + "\\u00e4".repeat(30_000) + "\"")
            .collect(Collectors.joining(","));
    expect(table.wire().put(table.path("p", "r"), "{" + umlauts + "}").send()).status(204);
  }

  @Test
  @Covers(Area.ADDRESSING)
  @Differs("Azurite 3.37.0 answers 500")
  void aSlashInAKeyOfAUrlIsRefused() {
    expect(table.wire().get("/" + table.name() + "(PartitionKey='a/b',RowKey='r')").send())
        .refused();
    expect(table.wire().get("/" + table.name() + "(PartitionKey='a%2Fb',RowKey='r')").send())
        .error(400, "InvalidInput");
  }

  @Test
  @Documented("table-rest 4.4: ignored by default")
  @Differs("Azurite 3.37.0 does the same, with a log line")
  void theUrlDecidesWhichEntityIsWritten() {
    String json = "{\"PartitionKey\":\"other\",\"RowKey\":\"other\",\"V\":1}";
    expect(table.wire().put(table.path("p", "r"), json).send()).status(204);
    assertThat(table.rows()).containsExactly("r");
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("docs/architecture.md, Queries: a page also ends at a byte budget")
  @Differs("Azurite 3.37.0 always fills a page")
  void pagesOfLargeEntitiesMissNothing() {
    String large = "\"A\":\"" + "x".repeat(32_000) + "\"";
    for (int batch = 0; batch < 4; batch++) {
      BatchText text = table.batch();
      for (int i = 0; i < 80; i++) {
        text.insert(table.name(), entity("%d%02d".formatted(batch, i), large));
      }
      expect(table.wire().batch(text).send()).status(202);
    }
    List<String> rows = table.rows();
    assertThat(rows).hasSize(320).doesNotHaveDuplicates().isSorted();
  }

  @Test
  @Covers(Area.PAGING)
  @Differs("Azurite 3.37.0 returns the keys in plain Base64")
  void tokensHaveTheFormOfTheService() {
    table.inserted(entity("1"));
    table.inserted(entity("2"));
    assertThat(table.query("$top=1").send().header("x-ms-continuation-NextRowKey").orElseThrow())
        .startsWith("1!");
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("table-rest 7.6; Azure/Azurite#1554")
  @Differs("Azurite repeats the first page (Azure/Azurite#1554)")
  void aTokenWithoutRowKeyMovesOn() {
    table.inserted("{\"PartitionKey\":\"a\",\"RowKey\":\"1\"}");
    table.inserted("{\"PartitionKey\":\"b\",\"RowKey\":\"2\"}");
    WireAnswer page = table.query("NextPartitionKey=b").send();
    assertThat(page.values().findValuesAsText("RowKey")).containsExactly("2");
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("table-rest 6.2")
  @Differs("Azurite 3.37.0 answers with the entities of the table")
  void oneTableIsATable() {
    WireAnswer answer = table.wire().get("/Tables('" + table.name() + "')").send();
    assertThat(answer.json().path("TableName").asText()).isEqualTo(table.name());
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("table-rest 7.1")
  @Differs("Azurite 3.37.0 ignores it")
  void orderByIsNotIgnored() {
    expect(table.query("$orderby=RowKey").send()).error(501, "NotImplemented");
  }

  @Test
  @Documented("table-rest 3.3: any newer API version is accepted")
  @Differs("Azurite 3.37.0 refuses versions it does not know")
  void versionsOfTheFutureAreServed() {
    expect(table.query().header("x-ms-version", "2031-01-01").send()).status(200);
  }
}
