package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of errors, and the codes and messages that were recorded from Azure. */
@Covers(Area.ERRORS)
@SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
class ErrorsConformanceTest {

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z";

  private final ScratchTable table = ScratchTable.create();
  private final String missing = "/" + ScratchTable.freshName();

  @Test
  @Documented("table-rest 9.1")
  @Differs("Azurite 3.37.0 writes the time in milliseconds")
  void aJsonErrorNamesItsRequestAndItsTime() {
    WireAnswer answer = table.read("p", "r").send();
    String id = answer.header("x-ms-request-id").orElseThrow();
    expect(answer)
        .status(404)
        .header(
            "Content-Type", "application/json;odata=minimalmetadata;streaming=true;charset=utf-8");
    String start =
        "{\"odata.error\":{\"code\":\"ResourceNotFound\",\"message\":{\"lang\":\"en-US\","
            + "\"value\":\"The specified resource does not exist.\\nRequestId:"
            + id
            + "\\nTime:";
    assertThat(answer.text()).startsWith(start).endsWith("\"}}}");
    assertThat(answer.text().substring(start.length(), answer.text().length() - 4)).matches(TIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/xml", "application/atom+xml", "application/atom+xml,application/xml"})
  @Documented("table-rest 9.1")
  @Differs("Azurite 3.37.0 writes the form of blob errors")
  void aClientThatReadsOnlyXmlGetsAnXmlError(String accept) {
    WireAnswer answer = table.query().accept(accept).send();
    String id = answer.header("x-ms-request-id").orElseThrow();
    expect(answer)
        .status(415)
        .header("Content-Type", "application/xml")
        .header("x-ms-error-code", "AtomFormatNotSupported");
    String start =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error"
            + " xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
            + "<m:code>AtomFormatNotSupported</m:code><m:message xml:lang=\"en-US\">"
            + "Atom format is not supported.\nRequestId:"
            + id
            + "\nTime:";
    String end = "</m:message></m:error>";
    assertThat(answer.text()).startsWith(start).endsWith(end);
    assertThat(answer.text().substring(start.length(), answer.text().length() - end.length()))
        .matches(TIME);
  }

  @Test
  @Documented("table-rest 9.2")
  void tableNotFound() {
    String message = "The table specified does not exist.";
    expect(table.wire().get(missing + "()").send()).error(404, "TableNotFound", message);
    expect(table.wire().get(missing + "(PartitionKey='p',RowKey='r')").send())
        .error(404, "TableNotFound", message);
    expect(table.wire().post(missing, entity("r")).send()).error(404, "TableNotFound", message);
    expect(table.wire().put(missing + "(PartitionKey='p',RowKey='r')", "{}").send())
        .error(404, "TableNotFound", message);
    expect(table.wire().patch(missing + "(PartitionKey='p',RowKey='r')", "{}").send())
        .error(404, "TableNotFound", message);
    expect(table.wire().put(missing + "(PartitionKey='p',RowKey='r')", "{}").ifMatch("*").send())
        .error(404, "TableNotFound", message);
    expect(table.wire().delete(missing + "(PartitionKey='p',RowKey='r')").ifMatch("*").send())
        .error(404, "TableNotFound", message);
  }

  @Test
  @Documented("table-rest 9.2, 5.1")
  void tableAlreadyExists() {
    String message = "The table specified already exists.";
    for (String name : new String[] {table.name(), table.name().toLowerCase(Locale.ROOT)}) {
      expect(table.wire().post("/Tables", "{\"TableName\":\"" + name + "\"}").send())
          .error(409, "TableAlreadyExists", message);
    }
  }

  @Test
  @Documented("table-rest 9.2")
  void resourceNotFound() {
    String message = "The specified resource does not exist.";
    expect(table.read("p", "r").send()).error(404, "ResourceNotFound", message);
    expect(table.wire().get("/Tables('" + missing.substring(1) + "')").send())
        .error(404, "ResourceNotFound", message);
    expect(table.wire().delete("/Tables('" + missing.substring(1) + "')").send())
        .error(404, "ResourceNotFound", message);
    expect(table.wire().put(table.path("p", "r"), "{}").ifMatch("*").send())
        .error(404, "ResourceNotFound", message);
    expect(table.wire().patch(table.path("p", "r"), "{}").ifMatch("*").send())
        .error(404, "ResourceNotFound", message);
    expect(table.wire().delete(table.path("p", "r")).ifMatch("*").send())
        .error(404, "ResourceNotFound", message);
  }

  @Test
  @Documented("table-rest 9.2")
  void entityAlreadyExists() {
    table.inserted(entity("r", "\"V\":1"));
    expect(table.insert(entity("r", "\"V\":2")).send())
        .error(409, "EntityAlreadyExists", "The specified entity already exists.");
    assertThat(table.stored("p", "r").path("V").asInt()).isEqualTo(1);
  }

  @Test
  @Documented("table-rest 9.2")
  void updateConditionNotSatisfied() {
    table.inserted(entity("r"));
    String stale = "W/\"datetime'2024-01-15T10%3A29%3A00Z'\"";
    expect(table.wire().put(table.path("p", "r"), "{}").ifMatch(stale).send())
        .error(
            412,
            "UpdateConditionNotSatisfied",
            "The update condition specified in the request was not satisfied.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"PartitionKey\":\"p\"}",
        "{\"RowKey\":\"r\"}",
        "{\"PartitionKey\":null,\"RowKey\":\"r\"}",
        "{\"PartitionKey\":\"p\",\"RowKey\":null}"
      })
  @Documented("table-rest 4.4, 9.2")
  void propertiesNeedValue(String json) {
    expect(table.insert(json).send())
        .error(
            400,
            "PropertiesNeedValue",
            "The values are not specified for all properties in the entity.");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 4.4, 9.2: do")
  void duplicatePropertiesSpecified() {
    expect(table.insert(entity("r", "\"A\":1,\"A\":2")).send())
        .error(400, "DuplicatePropertiesSpecified", "A property is specified more than one time.");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 6.11")
  void deleteWithoutIfMatchIsRefused() {
    table.inserted(entity("r"));
    expect(table.wire().delete(table.path("p", "r")).send())
        .error(400, "InvalidInput", "One of the request inputs is not valid.");
    assertThat(table.rows()).containsExactly("r");
  }

  @Test
  @Documented("blob-features 10.2: A2 is about queues and blobs; az-cli.http for tables")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2023")
  void theStatusLineOfATableErrorIsThatOfHttp() {
    assertThat(table.read("p", "none").send().statusLine()).isEqualTo("HTTP/1.1 404 Not Found");
    table.inserted(entity("r"));
    assertThat(table.insert(entity("r")).send().statusLine()).isEqualTo("HTTP/1.1 409 Conflict");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wrong", "\"wrong\"", "\"\"", "0x8D1234", "W/wrong"})
  @Documented("table-rest 4.6; blob-features 10.2: A14, Azurite issues 730 and 2013")
  void aTagThatIsNoTagIsRefused(String tag) {
    table.inserted(entity("r", "\"V\":1"));
    expectMalformed(table.wire().put(table.path("p", "r"), "{}").ifMatch(tag).send());
    expectMalformed(table.wire().delete(table.path("p", "r")).ifMatch(tag).send());
    assertThat(table.stored("p", "r").path("V").asInt()).isEqualTo(1);
  }

  @Test
  @Documented("table-rest 4.6; blob-features 10.2: do: malformed without W/")
  void aTagWithoutItsWeakMarkIsRefused() {
    String tag = table.inserted(entity("r")).substring("W/".length());
    expectMalformed(table.wire().put(table.path("p", "r"), "{}").ifMatch(tag).send());
  }

  private static void expectMalformed(WireAnswer answer) {
    expect(answer).error(400, "InvalidInput");
    assertThat(answer.errorMessage())
        .startsWith("The etag value '")
        .contains("specified in one of the request headers is not valid.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"W/\"wrong\"", "W/\"\"", "W/\"datetime'yesterday'\""})
  @Documented("table-rest 4.6; blob-features 10.2: A14, Azurite issue 1229")
  void aWeakTagOfAnotherFormMatchesNoEntity(String tag) {
    String path = table.path("p", "r");
    expect(table.wire().put(path, "{}").ifMatch(tag).send()).error(404, "ResourceNotFound");
    table.inserted(entity("r", "\"V\":1"));
    for (WireAnswer answer :
        List.of(
            table.wire().put(path, "{}").ifMatch(tag).send(),
            table.wire().patch(path, "{}").ifMatch(tag).send(),
            table.wire().delete(path).ifMatch(tag).send())) {
      expect(answer).error(412, "UpdateConditionNotSatisfied");
    }
    assertThat(table.stored("p", "r").path("V").asInt()).isEqualTo(1);
  }

  @Test
  @Documented("table-rest 14: do: options in step 8, the table's name in 9, the format in 10")
  void aQueryIsCheckedBeforeTheNameOfItsTable() {
    for (String resource : List.of("/1bad()", "/1bad(PartitionKey='p',RowKey='r')")) {
      expect(table.wire().get(resource + "?$filter=A+eq").send()).error(400, "InvalidInput");
      expect(table.wire().get(resource + "?$orderby=A").send()).error(501, "NotImplemented");
      expect(table.wire().get(resource).accept("text/html").send())
          .error(400, "InvalidResourceName");
    }
    expect(table.wire().get("/1bad()?$top=x").send()).error(400, "InvalidInput");
    expect(table.wire().get(missing + "()?$top=x").send()).error(400, "InvalidInput");
    expect(table.wire().get("/Tables?$top=x").accept("text/html").send())
        .error(400, "InvalidInput");
  }

  @Test
  @Documented("table-rest 14")
  void checksComeInTheRecordedOrder() {
    String bad = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"1x\":1}";
    expect(table.wire().post("/1bad", bad).key("bm9wZQ==").send())
        .error(403, "AuthenticationFailed");
    expect(table.wire().post("/1bad", bad).accept("application/atom+xml").send())
        .error(400, "InvalidResourceName");
    expect(table.wire().post(missing, bad).send()).error(400, "PropertyNameInvalid");
    expect(table.wire().put(missing + "(PartitionKey='p',RowKey='r')", "{}").ifMatch("*").send())
        .error(404, "TableNotFound");
  }
}
