package io.lazuli.benchmarks.protocol;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.function.UnaryOperator;

/**
 * Renders and signs requests to one table endpoint. All carry the date at which this object was
 * created, so each round needs a new one. Not thread-safe.
 */
public final class TableRequests {
  /** The number of operations in a transaction: the protocol's maximum. */
  public static final int BATCH_ENTITIES = 100;

  private static final String LINE = "\r\n";
  private static final String JSON = "application/json";
  private static final String XML = "application/xml";

  /** The only parameter that is signed. */
  private static final String PROPERTIES = "comp=properties";

  private static final String KEPT = "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";

  private static final String PREFER_NOTHING = "Prefer: return-no-content" + LINE;
  private static final String BATCH = "batch_7f1c0a52-0001";
  private static final String CHANGES = "changeset_7f1c0a52-0002";

  private final URI endpoint;
  private final String date;
  private final UnaryOperator<String> authorization;
  private final String padding;

  /**
   * @param authorization returns the header Authorization for a path as it is signed
   * @param padding the value of a header that the server ignores; empty for no such header
   */
  private TableRequests(
      URI endpoint, String date, UnaryOperator<String> authorization, String padding) {
    this.endpoint = endpoint;
    this.date = date;
    this.authorization = authorization;
    this.padding = padding;
  }

  /** Creates requests for an endpoint such as {@code http://127.0.0.1:10002/devstoreaccount1}. */
  public static TableRequests signedNow(URI endpoint) {
    return signedAt(endpoint, now());
  }

  static TableRequests signedAt(URI endpoint, String date) {
    return new TableRequests(endpoint, date, new SharedKeyLite(date)::authorization, "");
  }

  /** Creates requests with a token instead of signatures. */
  public static TableRequests withToken(URI endpoint, String token) {
    return new TableRequests(endpoint, now(), path -> "Bearer " + token, "");
  }

  /** Creates signed requests whose heads are longer by this text. */
  public static TableRequests padded(URI endpoint, String padding) {
    String date = now();
    return new TableRequests(endpoint, date, new SharedKeyLite(date)::authorization, padding);
  }

  private static String now() {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  public ByteBuffer createTable(String table) {
    String body = "{\"TableName\":\"" + table + "\"}";
    return bytes(request("POST", "/Tables", "", PREFER_NOTHING, JSON, body));
  }

  public ByteBuffer deleteTable(String table) {
    return bytes(request("DELETE", "/Tables('" + table + "')", "", "", "", ""));
  }

  /**
   * Returns a Set Table Service Properties request.
   *
   * @param logged true if every request is logged after it
   * @param counted true if every request is counted after it, by hour and by minute
   */
  public ByteBuffer setAnalytics(boolean logged, boolean counted) {
    String kinds = "<Delete>%1$s</Delete><Read>%1$s</Read><Write>%1$s</Write>".formatted(logged);
    String metrics =
        "<Version>1.0</Version><Enabled>"
            + counted
            + "</Enabled>"
            + (counted ? "<IncludeAPIs>true</IncludeAPIs>" : "")
            + KEPT;
    String body =
        "<StorageServiceProperties><Logging><Version>1.0</Version>"
            + (kinds + KEPT + "</Logging>")
            + ("<HourMetrics>" + metrics + "</HourMetrics>")
            + ("<MinuteMetrics>" + metrics + "</MinuteMetrics></StorageServiceProperties>");
    return bytes(request("PUT", "/", "?restype=service&" + PROPERTIES, "", XML, body));
  }

  /** Returns a Get Entity request with both keys in the path. */
  public ByteBuffer get(String table, long partition, long row) {
    return bytes(request("GET", "/" + entityPath(table, partition, row), "", "", "", ""));
  }

  /**
   * Returns a Query Entities request with a filter and, from the second page on, a continuation.
   */
  public ByteBuffer query(String table, String filter, String continuation) {
    String query = "?$filter=" + encoded(filter) + continuation;
    return bytes(request("GET", "/" + table + "()", query, "", "", ""));
  }

  /** Returns a Query Entities request without a filter, for the first page of a table. */
  public ByteBuffer page(String table) {
    return bytes(request("GET", "/" + table + "()", "", "", "", ""));
  }

  public RequestTemplate insert(String table) {
    return new RequestTemplate(
        request("POST", "/" + table, "", PREFER_NOTHING, JSON, SampleEntity.json(0, 0)));
  }

  /** Returns a transaction that inserts a hundred entities into one partition. */
  public RequestTemplate insertBatch(String table) {
    return batch(i -> inner("POST", table, SampleEntity.json(0, i)));
  }

  /** Returns a transaction that merges into a hundred entities of one partition. */
  public RequestTemplate mergeBatch(String table) {
    return batch(
        i ->
            inner(
                "PATCH",
                entityPath(table, 0, i),
                "{\"Number\":" + SampleEntity.number(i) + ",\"Note\":\"changed by a merge\"}"));
  }

  public static String pointFilter(long partition, long row) {
    return "PartitionKey eq '"
        + SampleEntity.partitionKey(partition)
        + "' and RowKey eq '"
        + SampleEntity.rowKey(row)
        + "'";
  }

  /**
   * Returns a filter for the rows of one partition from one row, inclusive, to another, exclusive.
   */
  public static String rangeFilter(long partition, long from, long to) {
    return "PartitionKey eq '"
        + SampleEntity.partitionKey(partition)
        + "' and RowKey ge '"
        + SampleEntity.rowKey(from)
        + "' and RowKey lt '"
        + SampleEntity.rowKey(to)
        + "'";
  }

  /**
   * Returns a filter that matches one in {@link SampleEntity#NUMBERS} entities and does not use a
   * key.
   */
  public static String numberFilter(long number) {
    return "Number eq " + SampleEntity.number(number);
  }

  static String encoded(String queryValue) {
    return URLEncoder.encode(queryValue, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private interface Operation {
    String text(int index);
  }

  private RequestTemplate batch(Operation operation) {
    StringBuilder body = new StringBuilder();
    body.append("--").append(BATCH).append(LINE);
    body.append("Content-Type: multipart/mixed; boundary=").append(CHANGES).append(LINE);
    body.append(LINE);
    for (int i = 0; i < BATCH_ENTITIES; i++) {
      body.append("--").append(CHANGES).append(LINE);
      body.append("Content-Type: application/http").append(LINE);
      body.append("Content-Transfer-Encoding: binary").append(LINE).append(LINE);
      body.append(operation.text(i)).append(LINE);
    }
    body.append("--").append(CHANGES).append("--").append(LINE);
    body.append("--").append(BATCH).append("--").append(LINE);
    String type = "multipart/mixed; boundary=" + BATCH;
    return new RequestTemplate(request("POST", "/$batch", "", "", type, body.toString()));
  }

  private String inner(String verb, String resource, String json) {
    return verb
        + " "
        + endpoint
        + "/"
        + resource
        + " HTTP/1.1"
        + LINE
        + "Content-Type: application/json"
        + LINE
        + "Accept: application/json;odata=minimalmetadata"
        + LINE
        + "DataServiceVersion: 3.0"
        + LINE
        + PREFER_NOTHING
        + "Content-Length: "
        + json.length()
        + LINE
        + LINE
        + json;
  }

  private String request(
      String verb, String resource, String query, String more, String type, String body) {
    String path = endpoint.getRawPath() + resource;
    StringBuilder text = new StringBuilder(512 + body.length());
    text.append(verb).append(' ').append(path).append(query).append(" HTTP/1.1").append(LINE);
    header(text, "Host", endpoint.getRawAuthority());
    header(text, "x-ms-date", date);
    header(text, "x-ms-version", "2019-02-02");
    String signed = query.endsWith(PROPERTIES) ? path + "?" + PROPERTIES : path;
    header(text, "Authorization", authorization.apply(signed));
    if (!padding.isEmpty()) {
      header(text, "x-padding", padding);
    }
    header(text, "DataServiceVersion", "3.0");
    header(text, "Accept", "application/json;odata=minimalmetadata");
    text.append(more);
    if (!body.isEmpty()) {
      header(text, "Content-Type", type);
      header(text, "Content-Length", Integer.toString(body.length()));
    }
    return text.append(LINE).append(body).toString();
  }

  private static void header(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value).append(LINE);
  }

  private static String entityPath(String table, long partition, long row) {
    return table
        + "(PartitionKey='"
        + SampleEntity.partitionKey(partition)
        + "',RowKey='"
        + SampleEntity.rowKey(row)
        + "')";
  }

  private static ByteBuffer bytes(String request) {
    return ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
  }
}
