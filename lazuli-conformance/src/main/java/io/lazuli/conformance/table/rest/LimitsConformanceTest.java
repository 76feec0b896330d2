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
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit, at its value and one beyond it, with the error code and message of the service. */
@Covers(Area.LIMITS)
class LimitsConformanceTest {

  private static final String VALUE_TOO_LARGE =
      "The property value exceeds the maximum allowed size (64KB). If the property value is a"
          + " string, it is UTF-16 encoded and the maximum number of characters should be 32K or"
          + " less.";
  private static final String ENTITY_TOO_LARGE =
      "The entity is larger than the maximum allowed size (1MB).";
  private static final String TOO_MANY =
      "The entity contains more properties than allowed. Each entity can include up to 252"
          + " properties to store data. Each entity also has 3 system properties.";
  private static final String NAME_CHARACTERS =
      "The specifed resource name contains invalid characters.";
  private static final String NAME_LENGTH =
      "The specified resource name length is not within the permissible limits.";

  private final ScratchTable table = ScratchTable.create();

  private WireAnswer create(String name) {
    return table.wire().post("/Tables", "{\"TableName\":\"" + name + "\"}").send();
  }

  @Test
  @Documented("table-rest 5.1")
  void tableNamesOfThreeTo63CharactersAreLegal() {
    String fresh = ScratchTable.freshName() + ScratchTable.freshName().substring(1);
    ScratchTable longest = ScratchTable.named(fresh.substring(0, 63));
    expect(create(longest.name())).status(201);
    expect(longest.insert(entity("r")).send()).status(201);
    // If the table already exists, it belongs to somebody else and is not deleted.
    ScratchTable shortest = new ScratchTable(table.wire(), "Abc");
    WireAnswer created = create(shortest.name());
    assertThat(created.status()).isIn(201, 409);
    expect(shortest.query("$top=1").send()).status(200);
    if (created.status() == 201) {
      expect(table.wire().delete("/Tables('Abc')").send()).status(204);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "ab", "L64", "-", "1", "é"})
  @Documented("table-rest 5.1: the length is checked first")
  void shorterAndLongerTableNamesAreRefused(String name) {
    String refused = name.equals("L64") ? "a".repeat(64) : name;
    expect(create(refused)).error(400, "OutOfRangeInput", NAME_LENGTH);
    if (!refused.isEmpty()) {
      String path = "/" + Keys.encode(refused);
      expect(table.wire().get(path + "()").send()).error(400, "OutOfRangeInput", NAME_LENGTH);
      expect(table.wire().post(path, entity("r")).send())
          .error(400, "OutOfRangeInput", NAME_LENGTH);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1abc", "a-b", "a_bc", "a b", "täble", "a.bc", "-abc"})
  @Documented("table-rest 5.1")
  void otherCharactersInTableNamesAreRefused(String name) {
    expect(create(name)).error(400, "InvalidResourceName", NAME_CHARACTERS);
    String path = "/" + Keys.encode(name);
    expect(table.wire().get(path + "()").send()).error(400, "InvalidResourceName", NAME_CHARACTERS);
    expect(table.wire().post(path, entity("r")).send())
        .error(400, "InvalidResourceName", NAME_CHARACTERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "Tables", "TABLES"})
  @Documented("table-rest 5.1: do")
  void theReservedTableNameIsRefused(String name) {
    expect(create(name)).error(400, "InvalidResourceName");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$MetricsHourPrimaryTransactionsTable", "$logs"})
  @Documented("table-rest 5.1: system tables are not creatable and not listed")
  void namesOfSystemTablesAreRefused(String name) {
    expect(create(name)).refused().status(400);
    String filter = "TableName eq '" + name + "'";
    WireAnswer listed = table.wire().get("/Tables?$filter=" + Keys.encode(filter)).send();
    assertThat(listed.values()).isEmpty();
  }

  @Test
  @Documented("table-rest 5.2, mission T6")
  @Differs("Azurite 3.37.0 allows 512 characters")
  void keysOf1024UnitsAreLegal() {
    String key = "k".repeat(1024);
    String json = "{\"PartitionKey\":\"" + key + "\",\"RowKey\":\"" + key + "\"}";
    expect(table.insert(json).send()).status(201);
    expect(table.read(key, key).send()).status(200);
    String wide = "日".repeat(1024);
    expect(table.insert("{\"PartitionKey\":\"" + wide + "\",\"RowKey\":\"" + wide + "\"}").send())
        .status(201);
    expect(table.read(wide, wide).send()).status(200);
  }

  @Test
  @Documented("table-rest 5.2: do")
  void longerKeysAreRefused() {
    String key = "k".repeat(1025);
    expect(table.insert("{\"PartitionKey\":\"" + key + "\",\"RowKey\":\"r\"}").send())
        .error(400, "PropertyValueTooLarge", VALUE_TOO_LARGE);
    expect(table.insert("{\"PartitionKey\":\"p\",\"RowKey\":\"" + key + "\"}").send())
        .error(400, "PropertyValueTooLarge", VALUE_TOO_LARGE);
    expect(table.wire().put(table.path("p", key), "{}").send())
        .error(400, "PropertyValueTooLarge", VALUE_TOO_LARGE);
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "a\\b", "a#b", "a?b", "\t", "\u007f", "a\u0085b", "a\u009f"})
  @Documented("table-rest 5.2")
  @Differs("Azurite 3.37.0 accepts some of them")
  void forbiddenCharactersInTheKeysOfAnInsertAreRefused(String key) {
    String escaped = key.replace("\\", "\\\\").replace("\t", "\\t");
    expect(table.insert("{\"PartitionKey\":\"" + escaped + "\",\"RowKey\":\"r\"}").send())
        .error(400, "OutOfRangeInput", outOfRange("PartitionKey", key));
    expect(table.insert("{\"PartitionKey\":\"p\",\"RowKey\":\"" + escaped + "\"}").send())
        .error(400, "OutOfRangeInput", outOfRange("RowKey", key));
    assertThat(table.rows()).isEmpty();
  }

  private static String outOfRange(String name, String value) {
    return "The '" + name + "' parameter of value '" + value + "' is out of range.";
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%2Fb", "a%5Cb"})
  @Documented("table-rest 5.2")
  @Differs("Azurite 3.37.0 answers 500")
  void slashesInTheKeysOfAUrlAreASyntaxError(String key) {
    String path = "/" + table.name() + "(PartitionKey='" + key + "',RowKey='r')";
    String message = "Bad Request - Error in query syntax.";
    expect(table.wire().get(path).send()).error(400, "InvalidInput", message);
    expect(table.wire().put(path, "{}").send()).error(400, "InvalidInput", message);
    expect(table.wire().delete(path).ifMatch("*").send()).error(400, "InvalidInput", message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%23b", "a%3Fb", "%09", "%00", "%7F", "%C2%85"})
  @Documented("table-rest 5.2")
  @Differs("Azurite 3.37.0 accepts some of them")
  void otherForbiddenCharactersInTheKeysOfAUrlAreOutOfRange(String key) {
    String path = "/" + table.name() + "(PartitionKey='p',RowKey='" + key + "')";
    String message = "One of the request inputs is out of range.";
    expect(table.wire().put(path, "{}").send()).error(400, "OutOfRangeInput", message);
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9, 31, 127})
  @Documented("table-rest 5.2: the web server answers with a plain HTTP 400")
  void aRawControlCharacterInAUrlIsRefused(int character) {
    String target =
        table.wire().account().pathPrefix() + table.path() + "(PartitionKey='p',RowKey='";
    String request =
        "GET "
            + target
            + (char) character
            + "') HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    WireAnswer answer = table.wire().sendRaw(request.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(answer.status()).as(answer.toString()).isBetween(400, 403);
  }

  @Test
  @Documented("table-rest 5.2: do")
  void anUnpairedSurrogateIsNoKey() {
    expect(table.insert("{\"PartitionKey\":\"a\\ud800\",\"RowKey\":\"r\"}").send())
        .error(400, "InvalidInput");
    assertThat(table.rows()).isEmpty();
  }

  private static String properties(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "\"P" + i + "\":" + i)
        .collect(Collectors.joining(","));
  }

  @Test
  @Documented("table-rest 5.3, 15 limits, mission T6")
  @Differs("Azurite 3.37.0 stores 300")
  void anEntityHas252PropertiesAndNoMore() {
    expect(table.insert(entity("r", properties(0, 252))).send()).status(201);
    expect(table.insert(entity("s", properties(0, 253))).send())
        .error(400, "TooManyProperties", TOO_MANY);
    expect(table.wire().put(table.path("p", "s"), "{" + properties(0, 253) + "}").send())
        .error(400, "TooManyProperties", TOO_MANY);
    assertThat(table.rows()).containsExactly("r");
  }

  @Test
  @Documented("table-rest 5.3: the limits apply to the merged result")
  void aMergeMayNotGrowAnEntityPast252Properties() {
    table.inserted(entity("r", properties(0, 251)));
    expect(table.wire().patch(table.path("p", "r"), "{" + properties(251, 252) + "}").send())
        .status(204);
    expect(table.wire().patch(table.path("p", "r"), "{" + properties(252, 253) + "}").send())
        .error(400, "TooManyProperties", TOO_MANY);
    expect(table.wire().patch(table.path("p", "r"), "{\"P0\":\"changed\"}").send()).status(204);
    assertThat(table.stored("p", "r")).hasSize(255);
  }

  @Test
  @Documented("table-rest 5.3")
  @Differs("Azurite 3.37.0 stores 300 characters")
  void propertyNamesHave255CharactersAndNoMore() {
    expect(table.insert(entity("r", "\"" + "n".repeat(255) + "\":1")).send()).status(201);
    expect(table.insert(entity("s", "\"" + "n".repeat(256) + "\":1")).send())
        .error(
            400,
            "PropertyNameTooLong",
            "The property name exceeds the maximum allowed length (255).");
    assertThat(table.rows()).containsExactly("r");
  }

  @ParameterizedTest
  @ValueSource(strings = {"_", "_1", "Ärger", "名前", "a1_b2", "PartitionKeys"})
  @Documented("table-rest 5.3")
  void identifiersArePropertyNames(String name) {
    table.inserted(entity("r", "\"" + name + "\":7"));
    assertThat(table.stored("p", "r").path(name).asInt()).isEqualTo(7);
    assertThat(table.rowsMatching(name + " eq 7")).containsExactly("r");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1a", "a-b", "a b", "a.b", "a@b", "", "Manager Rating", "a$"})
  @Documented("table-rest 5.3")
  @Differs("Azurite 3.37.0 stores them")
  void otherPropertyNamesAreRefused(String name) {
    expect(table.insert(entity("r", "\"" + name + "\":1")).send())
        .error(400, "PropertyNameInvalid", "The property name is invalid.");
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"x, 32768", "日, 32768", "😀, 16384"})
  @Documented("table-rest 5.3")
  void aStringHas32768UnitsAndNoMore(String character, int count) {
    expect(table.insert(entity("r", "\"V\":\"" + character.repeat(count) + "\"")).send())
        .status(201);
    assertThat(table.stored("p", "r").path("V").asText()).hasSize(32768);
    expect(table.insert(entity("s", "\"V\":\"" + character.repeat(count) + "x\"")).send())
        .error(400, "PropertyValueTooLarge", VALUE_TOO_LARGE);
    assertThat(table.rows()).containsExactly("r");
  }

  @Test
  @Documented("table-rest 5.3")
  void aBinaryHas65536BytesAndNoMore() {
    String type = "\"V@odata.type\":\"Edm.Binary\",\"V\":\"";
    String full = Base64.getEncoder().encodeToString(new byte[65536]);
    expect(table.insert(entity("r", type + full + "\"")).send()).status(201);
    String more = Base64.getEncoder().encodeToString(new byte[65537]);
    expect(table.insert(entity("s", type + more + "\"")).send())
        .error(400, "PropertyValueTooLarge", VALUE_TOO_LARGE);
    assertThat(table.rows()).containsExactly("r");
  }

  /** Returns an entity in partition p that has the given size by the formula of table-rest 5.3. */
  private static String entityOfSize(String rowKey, int size) {
    StringBuilder members = new StringBuilder();
    int left = size - 4 - 2 * (1 + rowKey.length());
    for (int i = 0; left > 0; i++) {
      int fixed = 8 + 2 * 3 + 4;
      int units = Math.min(32768, (left - fixed) / 2);
      units = left - fixed - 2 * units > 0 && left - fixed - 2 * units < 100 ? units - 100 : units;
      members.append(i == 0 ? "" : ",");
      members.append("\"S%02d\":\"%s\"".formatted(i, "x".repeat(units)));
      left -= fixed + 2 * units;
    }
    return entity(rowKey, members.toString());
  }

  @Test
  @Documented("table-rest 5.3, mission T6")
  @Differs("Azurite 3.37.0 checks the length of the body, and only on PUT")
  void anEntityHasOneMebibyteAndNoMore() {
    expect(table.insert(entityOfSize("r", 1 << 20)).prefer("return-no-content").send()).status(204);
    expect(table.insert(entityOfSize("s", (1 << 20) + 2)).send())
        .error(400, "EntityTooLarge", ENTITY_TOO_LARGE);
    expect(table.wire().put(table.path("p", "s"), entityOfSize("s", (1 << 20) + 2)).send())
        .error(400, "EntityTooLarge", ENTITY_TOO_LARGE);
    assertThat(table.rows()).containsExactly("r");
  }

  @ParameterizedTest
  @CsvSource({
    "500000, PropertyValueTooLarge",
    "600000, EntityTooLarge",
  })
  @Documented("table-rest 5.3; blob-features 10.2: A10, the whole size before single values")
  @Differs("Azurite 3.37.0 checks the length of the body, and only on PUT")
  void theSizeOfTheEntityIsCheckedBeforeTheSizeOfAValue(int units, String code) {
    String value = "\"V\":\"" + "x".repeat(units) + "\"";
    expect(table.insert(entity("r", value)).send()).error(400, code);
    expect(table.wire().put(table.path("p", "r"), "{" + value + "}").send()).error(400, code);
    expect(table.wire().patch(table.path("p", "r"), "{" + value + "}").send()).error(400, code);
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 5.3: the limits apply to the merged result")
  void aMergeMayNotGrowAnEntityPastOneMebibyte() {
    table.inserted(entityOfSize("r", (1 << 20) - 100));
    expect(
            table
                .wire()
                .patch(table.path("p", "r"), "{\"More\":\"" + "x".repeat(100) + "\"}")
                .send())
        .error(400, "EntityTooLarge", ENTITY_TOO_LARGE);
    assertThat(table.stored("p", "r").has("More")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @Documented("table-rest 5.3")
  void aBodyHasFourMebibytesAndNoMore(int past) {
    String start = entity("r").replace("}", ",");
    String json = start + " ".repeat((4 << 20) + past - start.length() - 1) + "}";
    WireAnswer answer = table.insert(json.replace(", ", "  ")).send();
    if (past == 0) {
      expect(answer).status(201);
    } else {
      expect(answer)
          .error(
              413,
              "RequestBodyTooLarge",
              "The request body is too large and exceeds the maximum permissible limit.");
      assertThat(table.rows()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @Documented("table-rest 8.1")
  void aBatchHasFourMebibytesAndNoMore(int past) {
    BatchText batch = table.batch();
    String value = "\"A\":\"" + "x".repeat(32000) + "\",\"B\":\"" + "x".repeat(8000) + "\"";
    for (int i = 0; i < 100; i++) {
      batch.insert(table.name(), entity("r%02d".formatted(i), value));
    }
    String text = batch.text();
    String padding = " ".repeat((4 << 20) + past - text.length());
    String body = text.replaceFirst("\"B\":", padding + "\"B\":");
    WireAnswer answer = table.wire().batch(batch).body(body).send();
    expect(answer).status(past == 0 ? 202 : 413);
    if (past == 1) {
      expect(answer).error(413, "RequestBodyTooLarge");
    }
    assertThat(table.rows()).hasSize(past == 0 ? 100 : 0);
  }

  @Test
  @Documented("table-rest 5.3: the whole response is 413, also for chunked bodies")
  void anOversizeBodyInChunksIsRefused() {
    String json = entity("r", "\"V\":\"" + "x".repeat(5 << 20) + "\"");
    expect(table.insert(json).chunked(1 << 16).send()).error(413, "RequestBodyTooLarge");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 5.4")
  void urlsOf100KibibytesAreServed() {
    table.inserted(entity("r"));
    String filter =
        IntStream.range(0, 900)
            .mapToObj(i -> "RowKey eq 'row number %06d'".formatted(i))
            .collect(Collectors.joining(" or "));
    WireAnswer answer = table.filter(filter + " or RowKey eq 'r'").send();
    expect(answer).status(200);
    assertThat(answer.values()).hasSize(1);
  }

  @Test
  @Documented("table-rest 5.4")
  void longerUrlsAreRefused() {
    assertThat(table.filter("RowKey eq '" + "x".repeat(200_000) + "'").send().status())
        .isEqualTo(414);
  }

  @ParameterizedTest
  @CsvSource({"1, 200", "1000, 200", "-1, 400", "1001, 400", "x, 400", "1.5, 400"})
  @Documented("table-rest 7.1")
  void topIsOneTo1000(String top, int status) {
    WireAnswer answer = table.query("$top=" + top).send();
    expect(answer).status(status);
    if (status == 400) {
      expect(answer).error(400, "InvalidInput", "One of the request inputs is not valid.");
    }
    expect(table.wire().get("/Tables?$top=" + top).send()).status(status);
  }

  @Test
  @Documented("table-rest 7.1; blob-features 10.2: do: Storage Explorer sends it")
  void topOfNoneIsAnEmptyListWithoutAToken() {
    table.inserted(entity("r"));
    for (String path : List.of(table.path() + "()", "/Tables")) {
      WireAnswer answer = table.wire().get(path + "?$top=0").send();
      expect(answer)
          .status(200)
          .lacksHeader("x-ms-continuation-NextPartitionKey")
          .lacksHeader("x-ms-continuation-NextTableName");
      assertThat(answer.values()).isEmpty();
    }
    expect(table.wire().get("/" + ScratchTable.freshName() + "()?$top=0").send())
        .error(404, "TableNotFound");
  }
}
