package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.support.Patience.eventually;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How URLs name tables and entities, and how the service names them in its answers. */
@Covers(Area.ADDRESSING)
class AddressingConformanceTest {

  private static final String WRONG_KEY_COUNT =
      "The number of keys specified in the URI does not match number of key properties for the"
          + " resource '%s.%s'.";

  private final ScratchTable table = ScratchTable.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "O'Neil",
        "'",
        "''",
        "a b",
        "  ",
        ":@",
        "+,$",
        "=& ",
        "\"",
        "%",
        "%27",
        "100%25",
        "é",
        "日本",
        "😀",
        "a,b",
        "(x)",
        "RowKey='r'",
        "~-._",
        "[]{}",
        "a;b",
        "*",
        "!|^`<>"
      })
  @Documented("table-rest 2.2 rules 1, 2, 6; table-rest 15 addressing")
  void anyLegalTextIsAKeyAndComesBackInEveryPlace(String key) {
    String json = "{\"PartitionKey\":" + quoted(key) + ",\"RowKey\":" + quoted(key) + ",\"V\":1}";
    expect(table.insert(json).send()).status(201);
    WireAnswer read = table.read(key, key).send();
    expect(read).status(200);
    assertThat(read.json().path("PartitionKey").asText()).isEqualTo(key);
    assertThat(read.json().path("RowKey").asText()).isEqualTo(key);
    expect(table.wire().patch(table.path(key, key), "{\"V\":2}").ifMatch("*").send()).status(204);
    assertThat(table.stored(key, key).path("V").asInt()).isEqualTo(2);
    String filter = "RowKey eq '" + key.replace("'", "''") + "'";
    assertThat(table.rowsMatching(filter)).containsExactly(key);
    expect(table.wire().delete(table.path(key, key)).ifMatch("*").send()).status(204);
    expect(table.read(key, key).send()).error(404, "ResourceNotFound");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "O'Neil", "a b", ":@", "+,$", "=& ", "A'aaa\"", "%", "日本", "😀"})
  @Documented("table-rest 2.2: how the service writes keys")
  @Differs("Azurite 3.37.0 sends no Location and does not encode keys in links")
  void linksNameTheEntityAsTheServiceWritesKeys(String key) {
    String json = "{\"PartitionKey\":" + quoted(key) + ",\"RowKey\":" + quoted(key) + "}";
    String resource = Keys.resource(table.name(), key, key);
    WireAnswer answer = table.insert(json).accept("application/json;odata=fullmetadata").send();
    expect(answer).status(201).header("Location", table.base() + "/" + resource);
    assertThat(answer.json().path("odata.id").asText()).isEqualTo(table.base() + "/" + resource);
    assertThat(answer.json().path("odata.editLink").asText()).isEqualTo(resource);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "O'Neil", "a b", "+,$", "=& ", "日本", "😀"})
  @Documented("table-rest 2.2 rule 2")
  void quotesMayBePercentEncodedDelimitersIncluded(String key) {
    table.inserted("{\"PartitionKey\":" + quoted(key) + ",\"RowKey\":\"r\"}");
    String doubled = Keys.encode(key.replace("'", "''"));
    String path = "/" + table.name() + "(PartitionKey=%27" + doubled + "%27,RowKey=%27r%27)";
    expect(table.wire().get(path).send()).status(200);
    expect(table.wire().get(path.replace("(", "%28").replace(")", "%29")).send()).status(200);
  }

  @Test
  @Documented("table-rest 2.2 rule 2: Java does not encode & in the path")
  void charactersThatAClientLeavesRawAreTakenAsTheyAre() {
    table.inserted("{\"PartitionKey\":\"a&b=c:@$,;\",\"RowKey\":\"(x)!*\"}");
    String path = "/" + table.name() + "(PartitionKey='a&b=c:@$,;',RowKey='(x)!*')";
    expect(table.wire().get(path).send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(PartitionKey='p', RowKey='r')",
        "(PartitionKey='p',%20RowKey='r')",
        "(RowKey='r',PartitionKey='p')"
      })
  @Documented("table-rest 2.2 rules 3, 4")
  void blanksAfterTheCommaAndTheOtherOrderAreAccepted(String predicate) {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    String encoded = predicate.replace(" ", "%20");
    WireAnswer answer = table.wire().get("/" + table.name() + encoded).send();
    expect(answer).status(200);
    assertThat(answer.json().path("PartitionKey").asText()).isEqualTo("p");
  }

  @Test
  @Documented("table-rest 2.2 rule 5")
  void plusIsAPlusInThePathAndABlankInTheQuery() {
    table.inserted("{\"PartitionKey\":\"a+b\",\"RowKey\":\"r\"}");
    expect(table.wire().get("/" + table.name() + "(PartitionKey='a+b',RowKey='r')").send())
        .status(200);
    WireAnswer plus = table.query("$filter=PartitionKey+eq+'a%2Bb'").send();
    assertThat(plus.values()).hasSize(1);
  }

  @Test
  @Documented("table-rest 2.2")
  void theCollectionIsNamedWithAndWithoutParentheses() {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    assertThat(table.wire().get(table.path()).send().values()).hasSize(1);
    assertThat(table.wire().get(table.path() + "()").send().values()).hasSize(1);
    String json = "{\"PartitionKey\":\"p\",\"RowKey\":\"r2\"}";
    expect(table.wire().post(table.path() + "()", json).send()).status(201);
    expect(table.wire().get("/Tables()").send()).status(200);
  }

  @Test
  @Documented("table-rest 2.2 rule 7: the lenient reading of the design guide's own query")
  @Differs("Azure answers 400 InvalidInput; Azurite 3.37.0 does so too")
  void oneNamedPartitionKeyIsAQueryOfThatPartition() {
    table.inserted("{\"PartitionKey\":\"empid\",\"RowKey\":\"1\"}");
    table.inserted("{\"PartitionKey\":\"empid\",\"RowKey\":\"2\"}");
    table.inserted("{\"PartitionKey\":\"other\",\"RowKey\":\"3\"}");
    WireAnswer page = table.wire().get(table.path() + "(PartitionKey='empid')?$top=10").send();
    expect(page).status(200);
    assertThat(page.values().findValuesAsText("RowKey")).containsExactly("1", "2");
  }

  @ParameterizedTest
  @CsvSource({"GET, ('x')", "DELETE, ('x')", "DELETE, (PartitionKey='x')", "GET, (RowKey='x')"})
  @Documented("table-rest 2.2 rule 7")
  void aWrongNumberOfKeysIsRefused(String method, String predicate) {
    String message = WRONG_KEY_COUNT.formatted(table.wire().account().name(), table.name());
    WireAnswer answer = table.wire().request(method, table.path() + predicate).ifMatch("*").send();
    expect(answer).error(400, "InvalidInput", message);
  }

  @Test
  @Documented("table-rest 2.2 rule 9")
  void aSecondSegmentBelowATableIsIgnored() {
    String missing = ScratchTable.freshName();
    String create = "{\"TableName\":\"" + missing + "\"}";
    expect(table.wire().post("/" + missing + "/Tables", create).send()).error(404, "TableNotFound");
    expect(table.wire().post(table.path() + "/Tables", create).send())
        .error(400, "PropertiesNeedValue");
    expect(table.wire().delete(table.path() + "/Tables('" + table.name() + "')").send())
        .error(
            400,
            "InvalidInput",
            WRONG_KEY_COUNT.formatted(table.wire().account().name(), table.name()));
  }

  @Test
  @Documented("table-rest 2.2: letter case is significant")
  void fixedWordsOfThePathAreCaseSensitive() {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    expect(table.wire().get("/" + table.name() + "(partitionkey='p',rowkey='r')").send()).refused();
    expect(table.wire().post("/$Batch", "").send()).refused();
  }

  @Test
  @Documented("table-rest 5.1, 4.2")
  @Differs("Azurite 3.37.0 answers 404 to another letter case")
  void tableNamesIgnoreCaseAndKeepTheCreatorsSpelling() {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    String other = table.name().toLowerCase(Locale.ROOT);
    WireAnswer read = table.wire().get(Keys.path(other, "p", "r")).send();
    expect(read).status(200);
    assertThat(read.json().path("odata.metadata").asText())
        .isEqualTo(table.base() + "/$metadata#" + table.name() + "/@Element");
    assertThat(table.wire().get("/Tables('" + other + "')").send().json().path("TableName"))
        .asString()
        .contains(table.name());
  }

  @Test
  @Documented("table-rest 2.1")
  void hostStyleReachesTheSameData() {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    String host = table.wire().account().name() + ".table.localhost";
    String scheme = table.wire().account().endpoint().getScheme();
    String target = Keys.path(table.name(), "p", "r");
    WireAnswer answer = table.wire().requestTarget("GET", target).header("Host", host).send();
    expect(answer).status(200);
    assertThat(answer.json().path("odata.metadata").asText())
        .isEqualTo(scheme + "://" + host + "/$metadata#" + table.name() + "/@Element");
  }

  @Test
  @Documented("table-rest 2.3")
  void theSecondaryEndpointServesReads() {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    WireClient secondary = new WireClient(table.wire().account().secondary());
    eventually(() -> expect(secondary.get(table.path("p", "r")).send()).status(200));
    expect(secondary.get("/Tables('" + table.name() + "')").send()).status(200);
    assertThat(secondary.get(table.path() + "()").send().values()).hasSize(1);
  }

  @Test
  @Documented("table-rest 2.3, 9.3")
  @Differs("Azurite 3.37.0 accepts writes there")
  void theSecondaryEndpointRefusesWrites() {
    WireClient secondary = new WireClient(table.wire().account().secondary());
    String json = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}";
    expect(secondary.post(table.path(), json).send())
        .error(403, "InsufficientAccountPermissions", "Write operations are not allowed.");
    expect(secondary.delete("/Tables('" + table.name() + "')").send())
        .error(403, "InsufficientAccountPermissions");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 2.3; blob-features 10.2: A11, a batch with a single GET is a read")
  void theSecondaryEndpointServesAReadInABatch() {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    WireClient secondary = new WireClient(table.wire().account().secondary());
    BatchText read = new BatchText(secondary.account().base()).add("GET", table.path("p", "r"), "");
    eventually(
        () -> {
          WireAnswer answer = secondary.batch(read).body(read.textOfReads()).send();
          expect(answer).status(202);
          expect(answer.parts().get(0)).status(200).hasHeader("ETag");
        });
  }

  @Test
  @Documented("table-rest 2.3")
  @Differs("Azurite 3.37.0 accepts writes there")
  void theSecondaryEndpointRefusesWritesInABatch() {
    WireClient secondary = new WireClient(table.wire().account().secondary());
    String json = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}";
    BatchText write = new BatchText(secondary.account().base()).insert(table.name(), json);
    expect(secondary.batch(write).send())
        .error(403, "InsufficientAccountPermissions", "Write operations are not allowed.");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 14 step 3")
  void anAccountThatIsNotThereIsNotFound() {
    Account account = table.wire().account();
    WireRequest request =
        account.isPathStyle()
            ? table.wire().requestTarget("GET", "/nosuchaccount/Tables")
            : table
                .wire()
                .get("/Tables")
                .header(
                    "Host",
                    account.endpoint().getRawAuthority().replace(account.name(), "nosuchaccount"));
    expect(request.send()).error(404, "ResourceNotFound");
  }

  @Test
  @Documented("table-rest 7.1")
  void optionNamesMayBePercentEncoded() {
    table.inserted("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    String filter = "%24filter=" + Keys.encode("RowKey eq ");
    assertThat(table.query(filter + "'r'", "%24top=1").send().values()).hasSize(1);
    assertThat(table.query(filter + "'x'").send().values()).isEmpty();
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
