package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Query;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * A request of the table or queue protocol with some parts damaged, one character per byte. It is
 * well-formed HTTP, and the account's owner signs it after the damage.
 *
 * @param headers complete lines
 */
record FuzzedRequest(
    String method, String path, String query, List<String> headers, String body, Proof proof) {
  private static final String ACCOUNT = "devstoreaccount1";
  private static final String ID = "a455c695-df98-5678-aaaa-81d3367e5a34";
  private static final String JSON = "Content-Type: application/json";
  private static final String BATCH = "Content-Type: multipart/mixed; boundary=b";

  /** The credentials of a request. */
  private enum Proof {
    SHARED_KEY,
    SHARED_KEY_LITE,
    ACCOUNT_SIGNATURE,
    TABLE_SIGNATURE
  }

  private static final List<FuzzedRequest> EXAMPLES =
      List.of(
          good("GET", "/Tables", "$filter=TableName%20ge%20'A'&$top=5&NextTableName=1!4!YWJj", ""),
          good("POST", "/Tables", "", "{\"TableName\":\"Other\"}", JSON, "Prefer: return-content"),
          good("DELETE", "/Tables('Other')", "timeout=30", ""),
          good(
              "GET",
              "/People()",
              "$filter=PartitionKey%20eq%20'p'%20and%20(A%20gt%205L%20or%20not%20(B%20eq"
                  + "%20datetime'2024-01-01T00:00:00Z'))&$select=A,B&$top=3"
                  + "&NextPartitionKey=1!4!cGFy&NextRowKey=1!4!cm93",
              "",
              "Accept: application/json;odata=fullmetadata"),
          good("GET", "/People(PartitionKey='p',RowKey='r%C3%A9')", "$select=A", ""),
          good(
              "POST",
              "/People",
              "",
              "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"A@odata.type\":\"Edm.Int64\",\"A\":\"5\","
                  + "\"B\":1.5,\"C\":true,\"D\":null,\"E\":\"é😀\"}",
              JSON),
          good("PUT", "/People(PartitionKey='p',RowKey='r')", "", "{\"A\":1}", JSON, "If-Match: *"),
          good(
              "MERGE",
              "/People(PartitionKey='p',RowKey='r')",
              "",
              "{\"G@odata.type\":\"Edm.Guid\",\"G\":\"a455c695-df98-5678-aaaa-81d3367e5a34\"}",
              JSON,
              "If-Match: W/\"datetime'2024-01-15T10%3A30%3A00.1234567Z'\""),
          good("POST", "/People(PartitionKey='p',RowKey='s')", "", "{}", "X-HTTP-Method: MERGE"),
          good("DELETE", "/People(PartitionKey='p',RowKey='s')", "", "", "If-Match: *"),
          good("POST", "/$batch", "", batch(), BATCH),
          good("GET", "/People", "comp=acl", ""),
          good("PUT", "/People", "comp=acl", policies(), "Content-Type: application/xml"),
          good("GET", "/", "restype=service&comp=properties", ""),
          good("PUT", "/", "restype=service&comp=properties", properties()),
          good("HEAD", "/People()", "$top=1", ""),
          good(
              "OPTIONS",
              "/People",
              "",
              "",
              "Origin: http://a.example",
              "Access-Control-Request-Method: PUT",
              "Access-Control-Request-Headers: x-ms-date,accept"));

  private static final List<FuzzedRequest> QUEUE_EXAMPLES =
      List.of(
          good("PUT", "/jobs", "", "", "x-ms-meta-a: b"),
          good("POST", "/jobs/messages", "messagettl=60&visibilitytimeout=0", message()),
          good("GET", "/jobs/messages", "numofmessages=2&visibilitytimeout=1", ""),
          good("GET", "/jobs/messages", "peekonly=true&numofmessages=32", ""),
          good("PUT", "/jobs/messages/" + ID, "popreceipt=AAAA&visibilitytimeout=0", message()),
          good("DELETE", "/jobs/messages/" + ID, "popreceipt=AAAA", ""),
          good("GET", "/jobs", "comp=metadata", ""),
          good("PUT", "/jobs", "comp=metadata", "", "x-ms-meta-c: d"),
          good("GET", "/", "comp=list&prefix=j&maxresults=2&include=metadata", ""),
          good("PUT", "/", "restype=service&comp=properties", properties()));

  private static final Mutations PATHS =
      new Mutations(
          EXAMPLES.stream().map(FuzzedRequest::path).toList(),
          "Tables",
          "PartitionKey='",
          "$metadata",
          "-secondary",
          "()");
  private static final Mutations QUERIES =
      new Mutations(
          EXAMPLES.stream().map(FuzzedRequest::query).toList(),
          "&$filter=",
          "&$top=",
          "&comp=stats",
          "&restype=service",
          "&NextPartitionKey=1!",
          "&$skip=1",
          "%20and%20",
          "%20or%20not%20",
          "&timeout=");
  private static final Mutations BODIES =
      new Mutations(
          EXAMPLES.stream().map(FuzzedRequest::body).toList(),
          "\"A\":1,",
          "@odata.type",
          "--c\r\n",
          "--b--",
          "<Id>",
          "[[[",
          "GET /People() HTTP/1.1\r\n");
  private static final Mutations HEADERS =
      new Mutations(
          List.of(
              "Accept: application/json;odata=nometadata",
              "Accept: application/atom+xml",
              "Content-Type: application/json; charset=utf-8",
              "If-Match: W/\"datetime'2024-01-15T10%3A30%3A00.1234567Z'\"",
              "Prefer: return-no-content",
              "X-HTTP-Method: PATCH",
              "x-ms-version: 2019-02-02",
              "x-ms-client-request-id: 7",
              "Origin: http://a.example",
              "Host: devstoreaccount1.table.localhost",
              "DataServiceVersion: 3.0"),
          "*",
          ",",
          "q=0.5",
          "odata=verbose");

  /** Requests with a body in the answer. The test could not find the end of an answer to HEAD. */
  private static final List<FuzzedRequest> WITH_ANSWERS =
      EXAMPLES.stream().filter(request -> !request.isHead()).toList();

  private static final Mutations LINES =
      new Mutations(
          WITH_ANSWERS.stream().map(FuzzedRequest::text).toList(),
          "Content-Length: 5\r\n",
          "Content-Length: 0\r\n",
          "Transfer-Encoding: chunked\r\n",
          "Transfer-Encoding: gzip\r\n",
          "\r\n0\r\n\r\n",
          "5\r\nhello\r\n0\r\n\r\n",
          "ffffffffffffffff\r\n",
          "Expect: 100-continue\r\n",
          "Connection: close\r\n",
          "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n",
          "Host: other\r\n",
          " folded\r\n",
          "\r\n\tfolded: x\r\n",
          "x-ms-date: Mon, 15 Jan 2024 10:30:00 GMT\r\n",
          "Authorization: SharedKey devstoreaccount1:\r\n",
          "HTTP/1.0",
          "HTTP/2.0",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          "http://devstoreaccount1.table.localhost/Tables",
          "&sig=x&sv=2019-02-02&tn=People",
          "&se=2034-01-01");

  private static FuzzedRequest good(
      String method, String path, String query, String body, String... headers) {
    return new FuzzedRequest(
        method, path, query, List.of(headers), Mutations.bytes(body), Proof.SHARED_KEY_LITE);
  }

  /** Returns a valid request with one or two damaged parts. */
  static FuzzedRequest next(Random random) {
    FuzzedRequest request = EXAMPLES.get(random.nextInt(EXAMPLES.size()));
    Proof[] proofs = Proof.values();
    request = request.with(request.path, request.query, proofs[random.nextInt(proofs.length)]);
    for (int i = random.nextInt(2); i >= 0; i--) {
      request = request.damaged(random);
    }
    return request;
  }

  /** Returns a request to the queue service, with a token for the account. */
  static FuzzedRequest nextToQueues(Random random) {
    FuzzedRequest request = QUEUE_EXAMPLES.get(random.nextInt(QUEUE_EXAMPLES.size()));
    return request.with(request.path, request.query, Proof.ACCOUNT_SIGNATURE).damaged(random);
  }

  /** Returns the text of a valid request, damaged anywhere, sometimes followed by another one. */
  static String damagedText(Random random) {
    String text = damagedLines(random);
    return random.nextInt(4) == 0 ? text + damagedLines(random) : text;
  }

  private static String damagedLines(Random random) {
    return LINES.damaged(WITH_ANSWERS.get(random.nextInt(WITH_ANSWERS.size())).text(), random);
  }

  private FuzzedRequest damaged(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> with(visible(PATHS.damaged(path, random), "?#"), query, proof);
      case 1 -> with(path, visible(QUERIES.damaged(query, random), "#"), proof);
      case 2 -> withHeader(HEADERS.next(random));
      default ->
          new FuzzedRequest(method, path, query, headers, BODIES.damaged(body, random), proof);
    };
  }

  private FuzzedRequest with(String newPath, String newQuery, Proof newProof) {
    String rooted = newPath.startsWith("/") ? newPath : "/" + newPath;
    return new FuzzedRequest(method, rooted, newQuery, headers, body, newProof);
  }

  private FuzzedRequest withHeader(String line) {
    String oneLine = line.replaceAll("[\r\n\0]", "");
    List<String> more = new ArrayList<>(headers);
    if (!oneLine.isEmpty()) {
      more.add(oneLine);
    }
    return new FuzzedRequest(method, path, query, more, body, proof);
  }

  boolean isHead() {
    return method.equals("HEAD");
  }

  /** Returns the request as text. */
  String text() {
    String target = "/" + ACCOUNT + path;
    String parameters = query;
    StringBuilder lines = new StringBuilder("Host: localhost\r\n");
    switch (proof) {
      case SHARED_KEY, SHARED_KEY_LITE -> lines.append(signed(target));
      case ACCOUNT_SIGNATURE ->
          parameters = query + "&" + WireServer.accountToken("tq", "sco", "rwdlacup");
      case TABLE_SIGNATURE ->
          parameters = query + "&" + WireServer.tableToken("People", "sp", "raud", "spk", "a");
    }
    headers.forEach(line -> lines.append(line).append("\r\n"));
    String mark = parameters.isEmpty() ? "" : "?";
    return method
        + " "
        + target
        + mark
        + parameters
        + " HTTP/1.1\r\n"
        + lines
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private String signed(String target) {
    String date = HttpDate.format(Instant.now());
    String component = Query.tryParse(query).first("comp");
    String resource =
        date + "\n/" + ACCOUNT + target + (component == null ? "" : "?comp=" + component);
    boolean lite = proof == Proof.SHARED_KEY_LITE;
    String text = lite ? resource : method + "\n\n" + contentType() + "\n" + resource;
    byte[] signature =
        Account.development().keys().get(0).sign(text.getBytes(StandardCharsets.ISO_8859_1));
    return "x-ms-date: "
        + date
        + "\r\nAuthorization: "
        + (lite ? "SharedKeyLite " : "SharedKey ")
        + ACCOUNT
        + ":"
        + Base64.getEncoder().encodeToString(signature)
        + "\r\n";
  }

  private String contentType() {
    return headers.stream()
        .filter(line -> line.startsWith("Content-Type: "))
        .findFirst()
        .map(line -> line.substring(14).strip())
        .orElse("");
  }

  /** Escapes characters that would end the target or are not allowed in it. */
  private static String visible(String text, String alsoEscaped) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > ' ' && c != 0x7f && alsoEscaped.indexOf(c) < 0) {
        out.append(c);
      } else {
        out.append(String.format("%%%02x", (int) c));
      }
    }
    return out.toString();
  }

  /** Returns a request that is answered with 200 after the creations. */
  static String healthy() {
    return good("GET", "/People()", "$filter=A%20eq%205L", "").text();
  }

  /** Returns the requests that create the table and the entity of the examples. */
  static List<String> creations() {
    return List.of(
        good("POST", "/Tables", "", "{\"TableName\":\"People\"}", JSON).text(),
        good("PUT", "/People(PartitionKey='p',RowKey='r')", "", "{\"A\":1}", JSON).text());
  }

  private static String batch() {
    String head = "--c\r\nContent-Type: application/http\r\n\r\n";
    return "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
        + head
        + "POST /devstoreaccount1/People HTTP/1.1\r\nContent-Type: application/json\r\n"
        + "Prefer: return-no-content\r\n\r\n{\"PartitionKey\":\"p\",\"RowKey\":\"b\",\"A\":1}\r\n"
        + head
        + "DELETE /devstoreaccount1/People(PartitionKey='p',RowKey='r') HTTP/1.1\r\nIf-Match: *"
        + "\r\nContent-ID: 2\r\n\r\n\r\n--c--\r\n--b--\r\n";
  }

  private static String message() {
    return "<QueueMessage><MessageText>aGVsbG8=</MessageText></QueueMessage>";
  }

  private static String policies() {
    return "<SignedIdentifiers><SignedIdentifier><Id>p</Id><AccessPolicy><Start>2024-01-01</Start>"
        + "<Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>";
  }

  private static String properties() {
    return "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>http://a.example"
        + "</AllowedOrigins><AllowedMethods>GET,PUT</AllowedMethods><AllowedHeaders>x-ms-*,accept"
        + "</AllowedHeaders><ExposedHeaders>*</ExposedHeaders><MaxAgeInSeconds>5"
        + "</MaxAgeInSeconds></CorsRule></Cors></StorageServiceProperties>";
  }
}
