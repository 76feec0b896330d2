package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of error codes, row by row: status, code and message. {@code TableBeingDeleted} is
 * missing, because a client cannot cause it at will.
 */
@Covers(Area.ERRORS)
@Differs("Azurite 3.37.0 has other codes and messages for half of them")
class ErrorCodesConformanceTest {

  private static final String STALE = "W/\"datetime'2024-01-15T10%3A29%3A00Z'\"";

  private final ScratchTable table = ScratchTable.create();

  /** A row of table-rest 9.2 and a request that causes this error. */
  record Row(String code, int status, String message, Function<ScratchTable, WireAnswer> request) {

    @Override
    public String toString() {
      return code + ": " + message;
    }
  }

  /** Returns the rows that were recorded from Azure. */
  static List<Row> recorded() {
    return List.of(
        new Row(
            "TableNotFound",
            404,
            "The table specified does not exist.",
            t -> t.wire().get("/" + ScratchTable.freshName() + "()").send()),
        new Row(
            "TableAlreadyExists",
            409,
            "The table specified already exists.",
            t -> create(t, t.name())),
        new Row(
            "ResourceNotFound",
            404,
            "The specified resource does not exist.",
            t -> t.read("p", "none").send()),
        new Row(
            "EntityAlreadyExists",
            409,
            "The specified entity already exists.",
            t -> t.insert(entity("r")).send()),
        new Row(
            "UpdateConditionNotSatisfied",
            412,
            "The update condition specified in the request was not satisfied.",
            t -> t.wire().put(t.path("p", "r"), "{}").ifMatch(STALE).send()),
        new Row(
            "PropertyNameTooLong",
            400,
            "The property name exceeds the maximum allowed length (255).",
            t -> t.insert(entity("x", "\"" + "n".repeat(256) + "\":1")).send()),
        new Row(
            "TooManyProperties",
            400,
            "The entity contains more properties than allowed. Each entity can include up to 252"
                + " properties to store data. Each entity also has 3 system properties.",
            t -> t.insert(entity("x", properties(253, i -> "1"))).send()),
        new Row(
            "PropertiesNeedValue",
            400,
            "The values are not specified for all properties in the entity.",
            t -> t.insert("{\"PartitionKey\":\"p\"}").send()),
        new Row(
            "InvalidInput",
            400,
            "An error occurred while processing this request.",
            t -> t.insert(entity("x", "\"B@odata.type\":\"Edm.Boolean\",\"B\":\"no\"")).send()),
        new Row(
            "InvalidInput",
            400,
            "Syntax error at position 7 in 'aaa bbb ccc'.",
            t -> t.filter("aaa bbb ccc").send()),
        new Row(
            "OutOfRangeInput",
            400,
            "The specified resource name length is not within the permissible limits.",
            t -> create(t, "ab")),
        new Row(
            "InvalidResourceName",
            400,
            "The specifed resource name contains invalid characters.",
            t -> create(t, "a-b-c")),
        new Row(
            "InvalidDuplicateRow",
            400,
            "1:The batch request contains multiple changes with same row key. An entity can appear"
                + " only once in a batch request.",
            t -> part(t, t.batch().insert(t.name(), entity("x")).insert(t.name(), entity("x")))),
        new Row(
            "CommandsInBatchActOnDifferentPartitions",
            400,
            "1:All commands in a batch must operate on same entity group.",
            t ->
                part(
                    t,
                    t.batch()
                        .insert(t.name(), entity("x"))
                        .insert(t.name(), entity("y").replace("\"p\"", "\"q\"")))),
        new Row(
            "InvalidXmlDocument",
            400,
            "XML specified is not syntactically valid.",
            t ->
                t.wire()
                    .request("PUT", t.path() + "?comp=acl")
                    .header("Content-Type", "application/xml")
                    .body("<SignedIdentifiers>")
                    .send()),
        new Row(
            "InvalidQueryParameterValue",
            400,
            "Value for one of the query parameters specified in the request URI is invalid.",
            t -> t.wire().get(t.path() + AccountProperties.RESOURCE.substring(1)).send()));
  }

  /** Returns the rows that the live tests of an official SDK check. */
  static List<Row> tested() {
    return List.of(
        new Row(
            "EntityTooLarge",
            400,
            "The entity is larger than the maximum allowed size (1MB).",
            t ->
                t.insert(entity("x", properties(20, i -> "\"" + "x".repeat(32_000) + "\"")))
                    .send()),
        new Row(
            "PropertyValueTooLarge",
            400,
            "The property value exceeds the maximum allowed size (64KB). If the property value is"
                + " a string, it is UTF-16 encoded and the maximum number of characters should be"
                + " 32K or less.",
            t -> t.insert(entity("x", "\"V\":\"" + "x".repeat(40_000) + "\"")).send()),
        new Row(
            "PropertyNameInvalid",
            400,
            "The property name is invalid.",
            t -> t.insert(entity("x", "\"1a\":1")).send()),
        new Row(
            "InvalidInput",
            400,
            "One of the request inputs is not valid.",
            t -> t.filter("A eq null").send()),
        new Row(
            "InvalidInput",
            400,
            "Bad Request - Error in query syntax.",
            t -> t.wire().get("/" + t.name() + "(PartitionKey='a%2Fb',RowKey='r')").send()),
        new Row(
            "OutOfRangeInput",
            400,
            "One of the request inputs is out of range.",
            t -> t.wire().put("/" + t.name() + "(PartitionKey='a%23b',RowKey='r')", "{}").send()),
        new Row(
            "OutOfRangeInput",
            400,
            "The 'PartitionKey' parameter of value 'a#b' is out of range.",
            t -> t.insert(entity("x").replace("\"p\"", "\"a#b\"")).send()),
        new Row(
            "RequestBodyTooLarge",
            413,
            "The request body is too large and exceeds the maximum permissible limit.",
            t -> t.insert(entity("x", "\"V\":\"" + "x".repeat(5 << 20) + "\"")).send()),
        new Row(
            "AtomFormatNotSupported",
            415,
            "Atom format is not supported.",
            t -> t.query().accept("application/atom+xml").send()),
        new Row(
            "NotImplemented",
            501,
            "The requested operation is not implemented on the specified resource.",
            t -> t.filter("startswith(A,'x')").send()));
  }

  /** Returns the rows that are only documented. */
  static List<Row> documented() {
    return List.of(
        new Row(
            "DuplicatePropertiesSpecified",
            400,
            "A property is specified more than one time.",
            t -> t.insert(entity("x", "\"A\":1,\"A\":1")).send()),
        new Row(
            "InvalidHeaderValue",
            400,
            "The value for one of the HTTP headers is not in the correct format.",
            t -> t.query().header("x-ms-version", "newest").send()),
        new Row(
            "HostInformationNotPresent",
            400,
            "The required host information is not present in the request. You must send a non-empty"
                + " Host header or include the absolute URI in the request line.",
            t -> t.query().header("Host", "").send()),
        new Row(
            "MethodNotAllowed",
            405,
            "The requested method is not allowed on the specified resource.",
            t -> t.wire().put(t.path(), "{}").send()),
        new Row(
            "XMethodNotUsingPost",
            400,
            "The request uses X-HTTP-Method with an HTTP verb other than POST.",
            t -> t.wire().put(t.path("p", "r"), "{}").header("X-HTTP-Method", "MERGE").send()),
        new Row(
            "XMethodIncorrectValue",
            400,
            "The specified X-HTTP-Method is invalid.",
            t -> t.wire().post(t.path("p", "r"), "{}").header("X-HTTP-Method", "FROB").send()),
        new Row(
            "XMethodIncorrectCount",
            400,
            "More than one X-HTTP-Method is specified.",
            t ->
                t.wire()
                    .post(t.path("p", "r"), "{}")
                    .anotherHeader("X-HTTP-Method", "PUT")
                    .anotherHeader("X-HTTP-Method", "PUT")
                    .send()));
  }

  private static WireAnswer create(ScratchTable table, String name) {
    return table.wire().post("/Tables", "{\"TableName\":\"" + name + "\"}").send();
  }

  private static WireAnswer part(ScratchTable table, BatchText batch) {
    WireAnswer answer = table.wire().batch(batch).send();
    expect(answer).status(202);
    return answer.parts().get(0);
  }

  private static String properties(int count, Function<Integer, String> value) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"P" + i + "\":" + value.apply(i))
        .collect(Collectors.joining(","));
  }

  private void expectRow(Row row) {
    table.inserted(entity("r"));
    expect(row.request().apply(table)).error(row.status(), row.code(), row.message());
  }

  @ParameterizedTest
  @MethodSource("recorded")
  @Documented("table-rest 9.2, 15 errors: every row marked R")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aRecordedErrorHasItsStatusCodeAndWords(Row row) {
    expectRow(row);
  }

  @ParameterizedTest
  @MethodSource("tested")
  @Documented("table-rest 9.2, 15 errors: every row marked T")
  void anErrorThatSdkTestsKnowHasItsStatusCodeAndWords(Row row) {
    expectRow(row);
  }

  @ParameterizedTest
  @MethodSource("documented")
  @Documented("table-rest 9.2: rows marked D that a client can cause")
  void aDocumentedErrorHasItsStatusCodeAndWords(Row row) {
    expectRow(row);
  }
}
