package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A table that is used through the requests of Azure.Data.Tables for .NET, as its recordings show
 * them (Azure/azure-sdk-for-net, TableClientLiveTests(Storage)/BatchInsertAndMergeAndDelete.json).
 */
record NetTable(ScratchTable table) {

  static final String FORMAT = "$format=application%2Fjson%3Bodata%3Dminimalmetadata";
  private static final String TAIL = "?" + FORMAT;

  /** Creates a table. */
  static NetTable create() {
    NetTable table = new NetTable(ScratchTable.named(ScratchTable.freshName()));
    expect(table.creation().send()).status(201);
    return table;
  }

  /** Returns an entity as the client serialises it. The members are JSON with single quotes. */
  static String entity(String partition, String row, String members) {
    String keys = ",'PartitionKey':'%s','RowKey':'%s','Timestamp':null}".formatted(partition, row);
    return ("{" + members + keys).replace('\'', '"');
  }

  WireRequest creation() {
    String json = "{\"TableName\":\"" + table.name() + "\"}";
    return marked(table.wire().post("/Tables" + TAIL, json))
        .header("Content-Type", "application/json;odata=nometadata");
  }

  WireRequest insert(String json) {
    return marked(table.wire().post(table.path() + TAIL, json))
        .header("Content-Type", "application/json;odata=nometadata")
        .prefer("return-no-content");
  }

  /** Inserts a new entity and returns its tag. */
  String inserted(String json) {
    WireAnswer answer = insert(json).send();
    expect(answer).status(204);
    return answer.etag();
  }

  WireRequest merge(String partition, String row, String json) {
    return marked(table.wire().patch(table.path(partition, row) + TAIL, json));
  }

  WireRequest replace(String partition, String row, String json) {
    return marked(table.wire().put(table.path(partition, row) + TAIL, json));
  }

  WireRequest delete(String partition, String row, String tag) {
    return marked(table.wire().delete(table.path(partition, row) + TAIL)).ifMatch(tag);
  }

  WireRequest read(String partition, String row) {
    return marked(table.wire().get(table.path(partition, row) + TAIL));
  }

  /** Returns the entities that a filter selects, which must fit on one page. */
  List<JsonNode> found(String filter) {
    String resource = table.path() + "()" + TAIL + "&$filter=" + Keys.encode(filter);
    WireAnswer answer = marked(table.wire().get(resource)).accept(WireRequest.MINIMAL).send();
    expect(answer).status(200);
    List<JsonNode> entities = new ArrayList<>();
    answer.values().forEach(entities::add);
    return entities;
  }

  List<String> rows(String filter) {
    return found(filter).stream().map(entity -> entity.path("RowKey").asText()).toList();
  }

  NetBatch batch() {
    return new NetBatch(table);
  }

  /** Sends a batch, which must succeed, and returns the tags of its operations in their order. */
  List<String> sent(NetBatch batch) {
    WireAnswer answer = batch.request().send();
    expect(answer).status(202);
    assertThat(answer.parts()).as(answer.toString()).allMatch(part -> part.status() == 204);
    return answer.parts().stream().map(part -> part.header("ETag").orElse("")).toList();
  }

  /**
   * Sends a batch, which must fail, and returns its error. The message starts with the index of the
   * operation.
   */
  static WireAnswer refusal(NetBatch batch) {
    WireAnswer answer = batch.request().send();
    expect(answer).status(202);
    assertThat(answer.parts()).as(answer.toString()).hasSize(1);
    return answer.parts().get(0);
  }

  private static WireRequest marked(WireRequest request) {
    return request
        .accept("application/json")
        .header("DataServiceVersion", "3.0")
        .header("x-ms-return-client-request-id", "true");
  }
}
