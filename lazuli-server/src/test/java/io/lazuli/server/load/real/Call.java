package io.lazuli.server.load.real;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request that a program sends to one of the services.
 *
 * @param name the operation, under which the request is counted
 * @param path below the account, percent-encoded
 * @param query the parameters, not encoded
 * @param headers with names in lower case
 * @param expected the statuses that the program can handle
 */
record Call(
    Service service,
    String name,
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body,
    List<Integer> expected) {
  static final int OK = 200;
  static final int CREATED = 201;
  static final int ACCEPTED = 202;
  static final int NO_CONTENT = 204;
  static final int NOT_MODIFIED = 304;
  static final int MISSING = 404;
  static final int CONFLICT = 409;
  static final int CHANGED = 412;
  static final int BUSY = 503;

  private static final String JSON = "application/json;odata=nometadata";
  private static final String BATCH = "multipart/mixed; boundary=batch_a";
  private static final byte[] EMPTY = {};

  /** The services, each with its own port. */
  enum Service {
    TABLE,
    QUEUE,
    BLOB
  }

  private static Call of(Service service, String name, String method, String path, int... ok) {
    return new Call(
        service,
        name,
        method,
        path,
        new TreeMap<>(),
        new TreeMap<>(),
        EMPTY,
        Arrays.stream(ok).boxed().toList());
  }

  private static Call table(String name, String method, String path, int... ok) {
    return of(Service.TABLE, name, method, path, ok).header("accept", JSON);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Adds a header. */
  Call header(String header, String value) {
    headers.put(header, value);
    return this;
  }

  /** Adds a parameter. */
  Call with(String parameter, String value) {
    query.put(parameter, value);
    return this;
  }

  private Call body(byte[] content, String type) {
    headers.put("content-type", type);
    return new Call(service, name, method, path, query, headers, content, expected);
  }

  /** Also accepts this status. */
  Call orStatus(int status) {
    List<Integer> more = new ArrayList<>(expected);
    more.add(status);
    return new Call(service, name, method, path, query, headers, body, List.copyOf(more));
  }

  String encodedQuery() {
    StringBuilder text = new StringBuilder();
    query.forEach(
        (parameter, value) ->
            text.append(text.isEmpty() ? '?' : '&')
                .append(parameter)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20")));
    return text.toString();
  }

  static Call createTable(String table) {
    return table("CreateTable", "POST", "/Tables", NO_CONTENT)
        .header("prefer", "return-no-content")
        .body(bytes("{\"TableName\":\"" + table + "\"}"), JSON);
  }

  private static String entityPath(String table, String partition, String row) {
    return "/" + table + "(PartitionKey='" + partition + "',RowKey='" + row + "')";
  }

  static Call get(String table, String partition, String row) {
    return table("GetEntity", "GET", entityPath(table, partition, row), OK);
  }

  static Call query(String table, String filter) {
    Call call = table("QueryEntities", "GET", "/" + table + "()", OK);
    return filter.isEmpty() ? call : call.with("$filter", filter);
  }

  /** Returns the body of an entity with these properties, which are members of a JSON object. */
  static String entity(String partition, String row, String properties) {
    return "{\"PartitionKey\":\""
        + partition
        + "\",\"RowKey\":\""
        + row
        + "\""
        + (properties.isEmpty() ? "" : "," + properties)
        + "}";
  }

  static Call insert(String table, String entity) {
    return table("InsertEntity", "POST", "/" + table, NO_CONTENT)
        .header("prefer", "return-no-content")
        .body(bytes(entity), JSON);
  }

  static Call upsert(String table, String partition, String row, String properties) {
    return table("InsertOrReplace", "PUT", entityPath(table, partition, row), NO_CONTENT)
        .body(bytes("{" + properties + "}"), JSON);
  }

  static Call upsertMerge(String table, String partition, String row, String properties) {
    return table("InsertOrMerge", "MERGE", entityPath(table, partition, row), NO_CONTENT)
        .body(bytes("{" + properties + "}"), JSON);
  }

  static Call merge(String table, String partition, String row, String etag, String properties) {
    return table("MergeEntity", "MERGE", entityPath(table, partition, row), NO_CONTENT, CHANGED)
        .header("if-match", etag)
        .body(bytes("{" + properties + "}"), JSON);
  }

  /** Returns a transaction that inserts or replaces entities, each a complete JSON object. */
  static Call batch(String table, String partition, List<String> rows, List<String> properties) {
    StringBuilder text =
        new StringBuilder(
            "--batch_a\r\nContent-Type: multipart/mixed; boundary=changeset_b\r\n\r\n");
    for (int i = 0; i < rows.size(); i++) {
      text.append("--changeset_b\r\nContent-Type: application/http\r\n")
          .append("Content-Transfer-Encoding: binary\r\n\r\nPUT http://127.0.0.1/")
          .append(Machine.ACCOUNT)
          .append(entityPath(table, partition, rows.get(i)))
          .append(" HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{")
          .append(properties.get(i))
          .append("}\r\n");
    }
    text.append("--changeset_b--\r\n--batch_a--\r\n");
    return table("Transaction", "POST", "/$batch", ACCEPTED).body(bytes(text.toString()), BATCH);
  }

  static Call deleteEntity(String table, String partition, String row) {
    return table("DeleteEntity", "DELETE", entityPath(table, partition, row), NO_CONTENT)
        .header("if-match", "*");
  }

  static Call createQueue(String queue) {
    return of(Service.QUEUE, "CreateQueue", "PUT", "/" + queue, CREATED);
  }

  static Call queueLength(String queue) {
    return of(Service.QUEUE, "GetQueueMetadata", "GET", "/" + queue, OK).with("comp", "metadata");
  }

  static Call put(String queue, String text) {
    String message = Base64.getEncoder().encodeToString(bytes(text));
    return of(Service.QUEUE, "PutMessage", "POST", "/" + queue + "/messages", CREATED)
        .body(
            bytes("<QueueMessage><MessageText>" + message + "</MessageText></QueueMessage>"),
            "application/xml");
  }

  static Call take(String queue, int max, int hiddenSeconds) {
    return of(Service.QUEUE, "GetMessages", "GET", "/" + queue + "/messages", OK)
        .with("numofmessages", Integer.toString(max))
        .with("visibilitytimeout", Integer.toString(hiddenSeconds));
  }

  static Call delete(String queue, String id, String receipt) {
    return of(Service.QUEUE, "DeleteMessage", "DELETE", "/" + queue + "/messages/" + id, NO_CONTENT)
        .with("popreceipt", receipt);
  }

  static Call createContainer(String container) {
    return of(Service.BLOB, "CreateContainer", "PUT", "/" + container, CREATED)
        .with("restype", "container");
  }

  static Call putBlob(String container, String blob, byte[] content) {
    return of(Service.BLOB, "PutBlob", "PUT", "/" + container + "/" + blob, CREATED)
        .header("x-ms-blob-type", "BlockBlob")
        .body(content, "image/jpeg");
  }

  static Call createAppendBlob(String container, String blob) {
    return of(Service.BLOB, "PutBlob", "PUT", "/" + container + "/" + blob, CREATED)
        .header("x-ms-blob-type", "AppendBlob");
  }

  static Call append(String container, String blob, String text) {
    return of(Service.BLOB, "AppendBlock", "PUT", "/" + container + "/" + blob, CREATED)
        .with("comp", "appendblock")
        .body(bytes(text), "text/plain");
  }

  static Call putBlock(String container, String blob, String id, byte[] content) {
    return of(Service.BLOB, "PutBlock", "PUT", "/" + container + "/" + blob, CREATED)
        .with("comp", "block")
        .with("blockid", id)
        .body(content, "application/octet-stream");
  }

  static Call putBlockList(String container, String blob, List<String> ids) {
    StringBuilder list = new StringBuilder("<BlockList>");
    ids.forEach(id -> list.append("<Latest>").append(id).append("</Latest>"));
    return of(Service.BLOB, "PutBlockList", "PUT", "/" + container + "/" + blob, CREATED)
        .with("comp", "blocklist")
        .body(bytes(list + "</BlockList>"), "application/xml");
  }

  static Call getBlob(String container, String blob) {
    return of(Service.BLOB, "GetBlob", "GET", "/" + container + "/" + blob, OK);
  }

  static Call headBlob(String container, String blob) {
    return of(Service.BLOB, "GetBlobProperties", "HEAD", "/" + container + "/" + blob, OK);
  }

  static Call deleteBlob(String container, String blob) {
    return of(Service.BLOB, "DeleteBlob", "DELETE", "/" + container + "/" + blob, ACCEPTED);
  }

  static Call listBlobs(String container, String prefix) {
    return of(Service.BLOB, "ListBlobs", "GET", "/" + container, OK)
        .with("restype", "container")
        .with("comp", "list")
        .with("prefix", prefix)
        .with("maxresults", "100");
  }
}
