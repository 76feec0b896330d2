package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Edm types in JSON: which forms are read, how they are written back, and which are refused.
 */
@Covers(Area.TYPES)
class TypesConformanceTest {

  private static final String CANNOT_READ = "An error occurred while processing this request.";

  private final ScratchTable table = ScratchTable.create();

  /** Inserts a property V of a type and returns the members of V from the answer to a read. */
  private String roundTrip(String type, String value) {
    String annotation = type.equals("-") ? "" : "\"V@odata.type\":\"" + type + "\",";
    table.inserted(entity("r", annotation + "\"V\":" + value));
    String text = table.wire().get(table.path("p", "r") + "?$select=V").send().text();
    int annotated = text.indexOf(",\"V@odata.type\"");
    int start = annotated >= 0 ? annotated : text.indexOf(",\"V\"");
    return text.substring(start + 1, text.length() - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-           | \"\"                   | -",
        "Edm.String  | \"\"                   | -",
        "-           | \"2024-01-15T10:30:00Z\" | -",
        "-           | \"0\"                  | -",
        "-           | 0                      | -",
        "-           | 2147483647             | -",
        "-           | -2147483648            | -",
        "Edm.Int32   | 2147483647             | -",
        "-           | true                   | -",
        "-           | false                  | -",
        "Edm.Boolean | true                   | -",
        "-           | 3.1                    | -",
        "-           | -0.25                  | -",
        "Edm.Int64   | \"9223372036854775807\"  | Edm.Int64",
        "Edm.Int64   | \"-9223372036854775808\" | Edm.Int64",
        "Edm.Double  | \"NaN\"                | Edm.Double",
        "Edm.Double  | \"Infinity\"           | Edm.Double",
        "Edm.Double  | \"-Infinity\"          | Edm.Double",
        "Edm.DateTime| \"1601-01-01T00:00:00Z\" | Edm.DateTime",
        "Edm.DateTime| \"9999-12-31T23:59:59.9999999Z\" | Edm.DateTime",
        "Edm.DateTime| \"2022-05-06T00:31:36.0741007Z\" | Edm.DateTime",
        "Edm.Guid    | \"c9da6455-213d-42c9-9a79-3e9149a57833\" | Edm.Guid",
        "Edm.Binary  | \"\"                   | Edm.Binary",
        "Edm.Binary  | \"AAECAwQ=\"           | Edm.Binary",
        "Edm.Binary  | \"+/+/\"               | Edm.Binary"
      })
  @Documented("table-rest 4.3, 4.5")
  void aValueComesBackAsItWasSent(String type, String value, String annotation) {
    String before = annotation.equals("-") ? "" : "\"V@odata.type\":\"" + annotation + "\",";
    assertThat(roundTrip(type, value)).isEqualTo(before + "\"V\":" + value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Edm.Int32   | \"23\"    | \"V\":23",
        "Edm.Int64   | 64        | \"V@odata.type\":\"Edm.Int64\",\"V\":\"64\"",
        "Edm.Double  | 5         | \"V\":5.0",
        "Edm.Double  | \"0\"     | \"V\":0.0",
        "-           | 3.0       | \"V\":3.0",
        "-           | 0e0       | \"V\":0.0",
        "Edm.Boolean | \"true\"  | \"V\":true",
        "Edm.Boolean | \"false\" | \"V\":false",
        "Edm.Guid    | \"C9DA6455-213D-42C9-9A79-3E9149A57833\" | \"V@odata.type\":\"Edm.Guid\",\"V\":\"c9da6455-213d-42c9-9a79-3e9149a57833\"",
        "Edm.String  | \"x\"     | \"V\":\"x\""
      })
  @Documented("table-rest 4.3")
  @Differs("Azurite 3.37.0 keeps whole doubles and Guids as sent")
  void otherSpellingsOfAValueAreReadAndWrittenInTheServicesOwn(
      String type, String value, String members) {
    assertThat(roundTrip(type, value)).isEqualTo(members);
  }

  @ParameterizedTest
  @CsvSource({"FALSE, false", "False, false", "fAlSe, false", "TRUE, true", "True, true"})
  @Documented("table-rest 4.3; blob-features 10.2: A13, Azurite issue 1947")
  void theLetterCaseOfABooleanDoesNotCount(String sent, String written) {
    assertThat(roundTrip("Edm.Boolean", "\"" + sent + "\"")).isEqualTo("\"V\":" + written);
    String other = "{\"V@odata.type\":\"Edm.Boolean\",\"V\":\"" + sent + "\"}";
    String path = table.path("p", "r");
    for (WireRequest update :
        List.of(table.wire().put(path, other), table.wire().patch(path, other))) {
      expect(update.send()).status(204);
      assertThat(table.stored("p", "r").path("V"))
          .isEqualTo(BooleanNode.valueOf(sent.length() == 4));
    }
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0.0,
        -0.0,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        1e15,
        1e16,
        0.00001,
        123456789.12345679,
        1.5e-7,
        0.1
      })
  @Documented("table-rest 4.3, 15 types")
  void doublesComeBackBitForBit(double value) {
    table.inserted(entity("r", "\"V@odata.type\":\"Edm.Double\",\"V\":" + value));
    WireAnswer answer = table.read("p", "r").send();
    JsonNode read = answer.json().path("V");
    assertThat(read.isNumber()).isTrue();
    assertThat(Double.doubleToRawLongBits(read.asDouble()))
        .isEqualTo(Double.doubleToRawLongBits(value));
    String text = answer.text();
    assertThat(text).containsPattern("\"V\":-?\\d+(\\.\\d+(E[+-]\\d+)?|E[+-]\\d+)[,}]");
  }

  @ParameterizedTest
  @CsvSource({
    "2008-07-10T00:00:00, 2008-07-10T00:00:00Z",
    "2008-07-10T00:00:00.0000000Z, 2008-07-10T00:00:00Z",
    "2008-07-10T00:00:10.0606250Z, 2008-07-10T00:00:10.060625Z",
    "2008-07-10T00:00:00.1, 2008-07-10T00:00:00.1Z",
    "2008-07-10T00:00:00.123456789Z, 2008-07-10T00:00:00.1234567Z",
    "2008-07-10T02:00:00+02:00, 2008-07-10T00:00:00Z",
    "2008-07-09T20:30:00.5-03:30, 2008-07-10T00:00:00.5Z",
    "2008-07-10, 2008-07-10T00:00:00Z",
    "2008-07-10T12:34, 2008-07-10T12:34:00Z"
  })
  @Documented("table-rest 4.5")
  @Differs("Azurite 3.37.0 stores the text as it is")
  void timesAreReadInManyFormsAndWrittenInOne(String sent, String written) {
    assertThat(roundTrip("Edm.DateTime", "\"" + sent + "\""))
        .isEqualTo("\"V@odata.type\":\"Edm.DateTime\",\"V\":\"" + written + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "1600-01-01T00:00:00Z, 01/01/1600 00:00:00",
    "1600-12-31T23:59:59Z, 12/31/1600 23:59:59",
    "0001-01-01T00:00:00Z, 01/01/0001 00:00:00"
  })
  @Documented("table-rest 4.5")
  @Differs("Azurite 3.37.0 stores it")
  void timesBefore1601AreOutOfRange(String sent, String named) {
    String value = "\"V@odata.type\":\"Edm.DateTime\",\"V\":\"" + sent + "\"";
    expect(table.insert(entity("r", value)).send())
        .error(
            400, "OutOfRangeInput", "The 'V' parameter of value '" + named + "' is out of range.");
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Edm.Boolean  | \"not a bool\"",
        "Edm.Boolean  | 1",
        "Edm.Int32    | \"abc\"",
        "Edm.Int32    | 2147483648",
        "Edm.Int32    | 3000000000",
        "Edm.Int32    | 1.5",
        "Edm.Int32    | true",
        "Edm.Int64    | \"abc\"",
        "Edm.Int64    | \"9223372036854775808\"",
        "Edm.Int64    | \"18446744073709551616\"",
        "Edm.Int64    | \"\"",
        "Edm.Double   | \"abc\"",
        "Edm.Double   | true",
        "Edm.DateTime | \"garbage\"",
        "Edm.DateTime | \"2024-13-01T00:00:00Z\"",
        "Edm.DateTime | \"2024-02-30T00:00:00Z\"",
        "Edm.DateTime | 5",
        "Edm.Guid     | \"nope\"",
        "Edm.Guid     | \"c9da6455-213d-42c9-9a79-3e9149a5783\"",
        "Edm.Binary   | \"###\"",
        "Edm.Binary   | \"AAE\"",
        "Edm.Binary   | 7",
        "Edm.String   | 7",
        "Edm.Decimal  | 1.5",
        "Edm.Byte     | 1",
        "Edm          | \"x\"",
        "-            | True",
        "-            | FALSE",
        "-            | 2147483648",
        "-            | -2147483649",
        "-            | {\"a\":1}",
        "-            | [1,2]",
        "-            | []"
      })
  @Documented("table-rest 4.3")
  @Differs("Azurite 3.37.0 stores most of these and answers 500 to unknown types")
  void aValueThatIsNotOfItsTypeIsRefused(String type, String value) {
    String annotation = type.equals("-") ? "" : "\"V@odata.type\":\"" + type + "\",";
    expect(table.insert(entity("r", annotation + "\"V\":" + value)).send())
        .error(400, "InvalidInput", CANNOT_READ);
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 4.4")
  void anAnnotationMayStandBeforeOrBehindItsValue() {
    table.inserted(entity("r", "\"A\":\"1\",\"A@odata.type\":\"Edm.Int64\""));
    assertThat(table.read("p", "r").send().json().path("A@odata.type").asText())
        .isEqualTo("Edm.Int64");
  }

  @Test
  @Documented("table-rest 4.4")
  void annotationsThatClientsSendBackAreIgnored() {
    String json =
        """
        {"odata.metadata":"x","odata.type":"a.b","odata.id":"i","odata.etag":"e",
         "odata.editLink":"l","PartitionKey@odata.type":"Edm.String","PartitionKey":"p",
         "RowKey":"r","RowKey@odata.type":"Edm.String","Timestamp@odata.type":"Edm.DateTime",
         "Timestamp":"2001-01-01T00:00:00Z","Gone@odata.type":"Edm.Int64","V":1}""";
    table.inserted(json);
    JsonNode stored = table.stored("p", "r");
    assertThat(stored.fieldNames())
        .toIterable()
        .containsExactly("PartitionKey", "RowKey", "Timestamp", "V");
    assertThat(stored.path("Timestamp").asText()).isGreaterThan("2020");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"Timestamp\":null",
        "\"Timestamp\":\"\"",
        "\"Timestamp\":5",
        "\"Timestamp@odata.type\":\"Edm.DateTime\",\"Timestamp\":\"2001-01-01T00:00:00Z\"",
        "\"Timestamp@odata.type\":\"Edm.String\",\"Timestamp\":\"x\""
      })
  @Documented("table-rest 4.4")
  void aTimestampInAnyFormIsIgnored(String member) {
    table.inserted(entity("r", member));
    assertThat(table.stored("p", "r").path("Timestamp").asText()).isGreaterThan("2020");
    table.wire().patch(table.path("p", "r"), "{" + member + "}").send();
    assertThat(table.stored("p", "r")).hasSize(3);
  }

  @Test
  @Documented("table-rest 4.4")
  void nullIsAbsentOnInsertAndReplaceAndChangesNothingOnMerge() {
    table.inserted(entity("r", "\"A\":1,\"B\":null,\"C@odata.type\":\"Edm.Int64\",\"C\":null"));
    assertThat(table.stored("p", "r").fieldNames()).toIterable().contains("A");
    assertThat(table.stored("p", "r")).hasSize(4);
    table.wire().patch(table.path("p", "r"), "{\"A\":null,\"D\":2}").send();
    assertThat(table.stored("p", "r").path("A").asInt()).isEqualTo(1);
    table.wire().put(table.path("p", "r"), "{\"A\":null,\"D\":3}").send();
    assertThat(table.stored("p", "r").has("A")).isFalse();
    assertThat(table.stored("p", "r").path("D").asInt()).isEqualTo(3);
  }

  @Test
  @Documented("table-rest 4.4")
  void namesThatDifferInCaseAreDifferentProperties() {
    table.inserted(entity("r", "\"Birthday\":1,\"birthday\":2,\"timestamp\":\"t\",\"etag\":\"e\""));
    JsonNode stored = table.stored("p", "r");
    assertThat(stored.path("Birthday").asInt()).isEqualTo(1);
    assertThat(stored.path("birthday").asInt()).isEqualTo(2);
    assertThat(stored.path("timestamp").asText()).isEqualTo("t");
    assertThat(stored.path("etag").asText()).isEqualTo("e");
  }

  @Test
  @Documented("table-rest 4.4")
  void escapedAndRawTextAndAByteOrderMarkAreRead() {
    byte[] json =
        ("\uFEFF" + entity("r", "\"A\":\"\\u00e9\\ud83d\\ude00\",\"B\":\"é😀\""))
            .getBytes(StandardCharsets.UTF_8);
    expect(table.insert("").body(json).send()).status(201);
    JsonNode stored = table.stored("p", "r");
    assertThat(stored.path("A").asText()).isEqualTo("é😀");
    assertThat(stored.path("B").asText()).isEqualTo("é😀");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\\u0000", "\\u0001\\u001f", "\\ud800", "a\\udc00b", "\\u2028", "\\\"\\\\\\/"})
  @Documented("table-rest 4.3: do: keep unpaired surrogates")
  void anyTextIsAString(String escaped) {
    table.inserted(entity("r", "\"V\":\"" + escaped + "\""));
    assertThat(table.stored("p", "r").path("V").asText())
        .isEqualTo(
            table.insert(entity("x", "\"V\":\"" + escaped + "\"")).send().json().path("V").asText())
        .isNotEmpty();
  }

  @Test
  @Documented("table-rest 4.2")
  void anInsertKeepsTheClientsOrderOfProperties() {
    table.inserted(entity("r", "\"Z\":1,\"A\":2,\"M\":3"));
    assertThat(table.stored("p", "r").fieldNames())
        .toIterable()
        .containsExactly("PartitionKey", "RowKey", "Timestamp", "Z", "A", "M");
  }

  @Test
  @Documented("mission T2")
  void onePropertyMayHaveAnotherTypeInEachEntity() {
    table.inserted(entity("1", "\"V\":1"));
    table.inserted(entity("2", "\"V\":\"text\""));
    table.inserted(entity("3", "\"V\":true"));
    table.wire().patch(table.path("p", "1"), "{\"V\":\"now text\"}").send();
    assertThat(table.stored("p", "1").path("V").asText()).isEqualTo("now text");
    assertThat(table.rowsMatching("V eq true")).containsExactly("3");
  }

  @Test
  @Documented("table-rest 4.6, mission T1")
  void timestampsOfAnEntityOnlyGrow() {
    Instant last = Instant.EPOCH;
    for (int i = 0; i < 50; i++) {
      table.wire().put(table.path("p", "r"), "{\"I\":" + i + "}").send();
      Instant stamp = Instant.parse(table.stored("p", "r").path("Timestamp").asText());
      assertThat(stamp).isAfter(last);
      last = stamp;
    }
  }
}
