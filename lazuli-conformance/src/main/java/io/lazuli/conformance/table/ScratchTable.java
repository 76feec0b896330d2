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
 * A new table of the account under test with the few calls that most cases need. At the end of the
 * run it is deleted again where the service is not ours to throw away.
 */
public record ScratchTable(WireClient wire, String name) {

  /** Holds the one client of a run, made when the first case needs it. */
  private static final class Shared {
    static final WireClient CLIENT = new WireClient(AccountUnderTest.get(StorageService.TABLE));
  }

  /** The raw client for the account under test. */
  public static WireClient sharedWire() {
    return Shared.CLIENT;
  }

  public static ScratchTable create() {
    ScratchTable table = named(freshName());
    expect(sharedWire().post("/Tables", "{\"TableName\":\"" + table.name + "\"}").send())
        .status(201);
    return table;
  }

  /** A handle on a table that the case creates itself, or never; the name must be fresh. */
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

  /** The JSON of an entity in partition {@code p}; the properties are JSON members or nothing. */
  public static String entity(String rowKey, String... properties) {
    String keys = "{\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey + "\"";
    return keys + (properties.length == 0 ? "" : "," + String.join(",", properties)) + "}";
  }

  public WireRequest insert(String json) {
    return wire.post(path(), json);
  }

  /** Inserts an entity that must be accepted; gives its ETag. */
  public String inserted(String json) {
    WireAnswer answer = insert(json).prefer("return-no-content").send();
    expect(answer).status(204);
    return answer.etag();
  }

  public WireRequest read(String partitionKey, String rowKey) {
    return wire.get(path(partitionKey, rowKey));
  }

  /** The stored entity, which must be there, at the level without metadata. */
  public JsonNode stored(String partitionKey, String rowKey) {
    WireAnswer answer =
        read(partitionKey, rowKey).accept("application/json;odata=nometadata").send();
    expect(answer).status(200);
    return answer.json();
  }

  /** A query with the given options, each raw: {@code $top=2}. */
  public WireRequest query(String... options) {
    return wire.get(path() + "()" + (options.length == 0 ? "" : "?" + String.join("&", options)));
  }

  public WireRequest filter(String filter) {
    return query("$filter=" + Keys.encode(filter));
  }

  /** The row keys that a filter selects, over all pages. */
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

  /** All row keys of the table in the order of the service. */
  public List<String> rows() {
    return rowsMatching("");
  }

  /** The options that ask for the page after this one; empty after the last. */
  public static String nextPage(WireAnswer page) {
    StringBuilder token = new StringBuilder();
    for (String part : List.of("NextPartitionKey", "NextRowKey", "NextTableName")) {
      page.header("x-ms-continuation-" + part)
          .ifPresent(
              value -> token.append("&").append(part).append('=').append(Keys.encode(value)));
    }
    return token.toString();
  }

  /** A shared access signature for this table, not signed yet. */
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
