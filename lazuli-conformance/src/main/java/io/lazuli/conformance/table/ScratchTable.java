package io.lazuli.conformance.table;

import static io.lazuli.conformance.wire.AnswerAssert.expect;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.CleanUp;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.TranscriptPlayer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A new table in the account under test, with the calls that most cases need. If the account
 * outlives the run, the table is deleted at the end.
 */
public record ScratchTable(WireClient wire, String name) {

  /** Holds the client that all cases share. It is created when the first case needs it. */
  private static final class Shared {
    static final WireClient CLIENT = new WireClient(AccountUnderTest.get(StorageService.TABLE));
  }

  /** Returns the raw client for the account under test. */
  public static WireClient sharedWire() {
    return Shared.CLIENT;
  }

  public static ScratchTable create() {
    ScratchTable table = named(freshName());
    expect(sharedWire().post("/Tables", "{\"TableName\":\"" + table.name + "\"}").send())
        .status(201);
    return table;
  }

  /**
   * Returns a handle to a table that the case creates itself or never creates. The name must be
   * new.
   */
  public static ScratchTable named(String name) {
    ScratchTable table = new ScratchTable(sharedWire(), name);
    CleanUp.later(table::drop);
    return table;
  }

  public static String freshName() {
    return "T" + UUID.randomUUID().toString().replace("-", "");
  }

  public String base() {
    return wire.account().base();
  }

  public String path() {
    return "/" + name;
  }

  public String path(String partitionKey, String rowKey) {
    return Keys.path(name, partitionKey, rowKey);
  }

  /** Returns the JSON of an entity in partition {@code p}. The properties are JSON members. */
  public static String entity(String rowKey, String... properties) {
    String keys = "{\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey + "\"";
    return keys + (properties.length == 0 ? "" : "," + String.join(",", properties)) + "}";
  }

  public WireRequest insert(String json) {
    return wire.post(path(), json);
  }

  /** Inserts an entity, which must succeed, and returns its ETag. */
  public String inserted(String json) {
    WireAnswer answer = insert(json).prefer("return-no-content").send();
    expect(answer).status(204);
    return answer.etag();
  }

  public WireRequest read(String partitionKey, String rowKey) {
    return wire.get(path(partitionKey, rowKey));
  }

  /** Returns a stored entity, which must exist, without metadata. */
  public JsonNode stored(String partitionKey, String rowKey) {
    WireAnswer answer =
        read(partitionKey, rowKey).accept("application/json;odata=nometadata").send();
    expect(answer).status(200);
    return answer.json();
  }

  /** Creates a query with the given options, which are not encoded: {@code $top=2}. */
  public WireRequest query(String... options) {
    return wire.get(path() + "()" + (options.length == 0 ? "" : "?" + String.join("&", options)));
  }

  public WireRequest filter(String filter) {
    return query("$filter=" + Keys.encode(filter));
  }

  /** Returns the row keys of all pages that a filter selects. */
  public List<String> rowsMatching(String filter) {
    List<String> rows = new ArrayList<>();
    String token = "";
    do {
      WireAnswer page =
          wire.get(path() + "()?$filter=" + Keys.encode(filter) + token)
              .accept("application/json;odata=nometadata")
              .send();
      expect(page).status(200);
      page.values().forEach(entity -> rows.add(entity.path("RowKey").asText()));
      token = nextPage(page);
    } while (!token.isEmpty());
    return rows;
  }

  /** Returns all row keys of the table, in the order of the service. */
  public List<String> rows() {
    return rowsMatching("");
  }

  /** Returns the query options for the next page, or an empty string after the last page. */
  public static String nextPage(WireAnswer page) {
    StringBuilder token = new StringBuilder();
    for (String part : List.of("NextPartitionKey", "NextRowKey", "NextTableName")) {
      page.header("x-ms-continuation-" + part)
          .ifPresent(
              value -> token.append("&").append(part).append('=').append(Keys.encode(value)));
    }
    return token.toString();
  }

  /** Returns a shared access signature for this table that is not signed yet. */
  public SharedAccess access(String permissions) {
    return SharedAccess.ofTable(wire.account(), name).permissions(permissions);
  }

  public BatchText batch() {
    return new BatchText(base());
  }

  /** Returns a player of transcripts that name this table {@code {table}}. */
  public TranscriptPlayer transcriptPlayer() {
    return new TranscriptPlayer(wire, "table", name);
  }

  private void drop() {
    wire.delete("/Tables('" + name + "')").send();
  }
}
