package io.lazuli.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The content of the data folders in {@code src/test/resources/data-format}: the requests that
 * write it, and the requests that read it back. It includes every kind of record. Nothing in it
 * expires: messages live forever, leases are infinite, and no block is uncommitted.
 */
final class Content implements AutoCloseable {
  /** Stored as a chunk, because it is larger than a record may be. */
  private static final String LARGE = "0123456789abcde\n".repeat(5_000);

  private static final String SMALL = "a small blob\n".repeat(10);
  private static final String LEASE = "11111111-2222-3333-4444-555555555555";
  static final String VERSION = "x-ms-version: 2025-01-05";
  private static final String[] TABLE = {
    "x-ms-version: 2019-02-02",
    "Content-Type: application/json",
    "Accept: application/json;odata=minimalmetadata"
  };

  /** The headers that show data; the others belong to the protocol. */
  private static final Set<String> DATA_HEADERS =
      Set.of(
          "cache-control",
          "content-disposition",
          "content-encoding",
          "content-language",
          "content-md5",
          "content-type",
          "etag",
          "last-modified",
          "x-ms-access-tier",
          "x-ms-archive-status",
          "x-ms-approximate-messages-count",
          "x-ms-blob-committed-block-count",
          "x-ms-blob-public-access",
          "x-ms-blob-sealed",
          "x-ms-blob-sequence-number",
          "x-ms-blob-type",
          "x-ms-copy-completion-time",
          "x-ms-copy-id",
          "x-ms-copy-progress",
          "x-ms-copy-source",
          "x-ms-copy-status",
          "x-ms-creation-time",
          "x-ms-is-current-version",
          "x-ms-lease-duration",
          "x-ms-lease-state",
          "x-ms-lease-status",
          "x-ms-tag-count",
          "x-ms-version-id");

  private static final int SHOWN_CHARACTERS_MAX = 4_000;

  private final WireServer tables;
  private final WireServer queues;
  private final WireServer blobs;

  Content(LazuliServer server) {
    tables = WireServer.onTables(server);
    queues = WireServer.onQueues(server);
    blobs = WireServer.onBlobs(server);
  }

  /** Writes the larger part. */
  void writeFirst() {
    writeTables();
    writeQueues();
    writeContainer();
    writeBlobs();
  }

  /** Writes the rest, and changes some of the first part. */
  void writeMore() {
    done(table("PUT", "/Types(PartitionKey='late',RowKey='1')", "{\"Text\":\"written later\"}"));
    done(table("MERGE", "/Types(PartitionKey='types',RowKey='merged')", "{\"New\":2}"));
    done(table("DELETE", "/Types(PartitionKey='types',RowKey='deleted')", "", "If-Match: *"));
    done(table("DELETE", "/Tables('Dropped')", ""));
    done(queue("POST", "/tasks/messages?messagettl=-1", message("third")));
    handOutTheFirstMessage();
    done(blob("PUT", "/docs/small.txt", SMALL + "changed", "x-ms-blob-type: BlockBlob"));
    done(blob("PUT", "/docs/log?comp=appendblock", "second line\n"));
    done(blob("DELETE", "/docs/deleted", ""));
  }

  /** Changes the folder in a way that {@link #read} does not show. */
  void writeAndRemove() {
    String entity = "/Types(PartitionKey='new',RowKey='1')";
    done(table("PUT", entity, "{\"Text\":\"new\"}"));
    done(table("DELETE", entity, "", "If-Match: *"));
    done(queue("PUT", "/other", ""));
    done(queue("DELETE", "/other", ""));
    done(blob("PUT", "/docs/other", LARGE, "x-ms-blob-type: BlockBlob"));
    done(blob("DELETE", "/docs/other", ""));
  }

  /** Reads everything back, as text with one part per request. */
  String read() {
    StringJoiner text = new StringJoiner("\n");
    for (String path :
        List.of(
            "/Tables",
            "/Types()",
            "/Types()?$filter=Int64%20gt%209007199254740991L",
            "/Keys()",
            "/Wide()",
            "/Types?comp=acl",
            "/Dropped()",
            "/?restype=service&comp=properties")) {
      text.add(shown("table GET", path, table("GET", path, "")));
    }
    for (String path :
        List.of(
            "/tasks?comp=metadata",
            "/tasks/messages?peekonly=true&numofmessages=32",
            "/tasks?comp=acl",
            "/?restype=service&comp=properties")) {
      text.add(shown("queue GET", path, queue("GET", path, "")));
    }
    for (String path :
        List.of(
            "/docs?restype=container",
            "/docs?restype=container&comp=acl",
            "/docs/small.txt",
            "/docs/small.txt?snapshot=" + snapshot(),
            "/docs/large",
            "/docs/large?comp=tags",
            "/docs/blocks",
            "/docs/blocks?comp=blocklist&blocklisttype=all",
            "/docs/log",
            "/docs/copy",
            "/docs/deleted",
            "/?restype=service&comp=properties")) {
      text.add(shown("blob GET", path, blob("GET", path, "")));
    }
    text.add(shown("blob HEAD", "/docs/large", blob("HEAD", "/docs/large", "")));
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    tables.close();
    queues.close();
    blobs.close();
  }

  private void writeTables() {
    for (String name : List.of("Types", "Keys", "Wide", "Dropped")) {
      done(table("POST", "/Tables", "{\"TableName\":\"" + name + "\"}"));
    }
    String types = "{\"PartitionKey\":\"types\",\"RowKey\":\"";
    done(
        table(
            "POST",
            "/Types",
            types
                + "all\",\"Text\":\"\u00e4\u65e5\ud83d\ude00\",\"Empty\":\"\",\"Int32\":-2147483648,"
                + "\"Int64\":\"9223372036854775807\",\"Int64@odata.type\":\"Edm.Int64\","
                + "\"Double\":-1.5e-300,\"Whole\":3.0,\"Whole@odata.type\":\"Edm.Double\","
                + "\"NotANumber\":\"NaN\",\"NotANumber@odata.type\":\"Edm.Double\","
                + "\"Yes\":true,\"No\":false,"
                + "\"Time\":\"1601-01-01T00:00:00.0000001Z\",\"Time@odata.type\":\"Edm.DateTime\","
                + "\"Guid\":\"00112233-4455-6677-8899-aabbccddeeff\",\"Guid@odata.type\":\"Edm.Guid\","
                + "\"Binary\":\"AAH/\",\"Binary@odata.type\":\"Edm.Binary\"}"));
    done(table("POST", "/Types", types + "merged\",\"Old\":1}"));
    done(table("POST", "/Types", types + "deleted\"}"));
    done(table("POST", "/Wide", types + "wide\",\"Wide\":\"" + "w".repeat(32_000) + "\"}"));
    for (String key : List.of("", " ", "a", "A", "\u00e9", "\uffff", "\ud83d\ude00")) {
      String keys = "{\"PartitionKey\":\"" + key + "\",\"RowKey\":\"" + key + "\"}";
      done(table("POST", "/Keys", keys));
    }
    done(table("POST", "/Dropped", types + "lost\"}"));
    done(table("PUT", "/Types?comp=acl", policies("raud")));
    done(table("PUT", "/?restype=service&comp=properties", properties("http://tables.example")));
  }

  private void writeQueues() {
    done(queue("PUT", "/tasks", "", "x-ms-meta-purpose: to be kept"));
    done(queue("PUT", "/tasks?comp=acl", policies("raup")));
    done(queue("POST", "/tasks/messages?messagettl=-1", message("first")));
    done(queue("POST", "/tasks/messages?messagettl=-1", message("second \u00e4\ud83d\ude00")));
    done(queue("PUT", "/?restype=service&comp=properties", properties("http://queues.example")));
  }

  private void writeContainer() {
    done(blob("PUT", "/docs?restype=container", "", "x-ms-meta-purpose: to be kept"));
    done(
        blob(
            "PUT",
            "/docs?restype=container&comp=acl",
            policies("racwdl"),
            "x-ms-blob-public-access: blob"));
    done(blob("PUT", "/?restype=service&comp=properties", properties("http://blobs.example")));
  }

  private void writeBlobs() {
    String block = "x-ms-blob-type: BlockBlob";
    done(
        blob(
            "PUT",
            "/docs/small.txt",
            SMALL,
            block,
            "x-ms-blob-content-type: text/plain",
            "x-ms-blob-content-encoding: identity",
            "x-ms-blob-content-language: de",
            "x-ms-blob-content-disposition: inline",
            "x-ms-blob-cache-control: no-store",
            "x-ms-meta-first: 1"));
    done(blob("PUT", "/docs/small.txt?comp=snapshot", ""));
    done(
        blob(
            "PUT",
            "/docs/large",
            LARGE,
            block,
            "x-ms-access-tier: Cool",
            "x-ms-tags: colour=blue&size=large"));
    done(blob("PUT", "/docs/blocks?comp=block&blockid=QUFB", SMALL));
    done(blob("PUT", "/docs/blocks?comp=block&blockid=QUFC", LARGE));
    String list = "<BlockList><Latest>QUFB</Latest><Latest>QUFC</Latest></BlockList>";
    done(blob("PUT", "/docs/blocks?comp=blocklist", list));
    done(
        blob(
            "PUT",
            "/docs/blocks?comp=lease",
            "",
            "x-ms-lease-action: acquire",
            "x-ms-lease-duration: -1",
            "x-ms-proposed-lease-id: " + LEASE));
    done(blob("PUT", "/docs/log", "", "x-ms-blob-type: AppendBlob"));
    done(blob("PUT", "/docs/log?comp=appendblock", "first line\n"));
    String source = "x-ms-copy-source: http://localhost/devstoreaccount1/docs/large";
    done(blob("PUT", "/docs/copy", "", source));
    done(blob("PUT", "/docs/deleted", LARGE, block));
  }

  /** Hands out the first message. It stays visible, with a new text and a dequeue count of one. */
  private void handOutTheFirstMessage() {
    String taken = done(queue("GET", "/tasks/messages", "")).body();
    String id = element("MessageId", taken);
    String receipt = element("PopReceipt", taken).replace("+", "%2B").replace("=", "%3D");
    done(
        queue(
            "PUT",
            "/tasks/messages/" + id + "?popreceipt=" + receipt + "&visibilitytimeout=0",
            message("first, updated")));
  }

  private String snapshot() {
    Answer listed = done(blob("GET", "/docs?restype=container&comp=list&include=snapshots", ""));
    return element("Snapshot", listed.body());
  }

  private Answer table(String method, String path, String body, String... more) {
    return tables.owner(method, path, body, joined(TABLE, more));
  }

  private Answer queue(String method, String path, String body, String... more) {
    return queues.owner(method, path, body, joined(new String[] {VERSION}, more));
  }

  private Answer blob(String method, String path, String body, String... more) {
    return blobs.owner(method, path, body, joined(new String[] {VERSION}, more));
  }

  private static String[] joined(String[] some, String[] more) {
    return Stream.of(some, more).flatMap(Arrays::stream).toArray(String[]::new);
  }

  static Answer done(Answer answer) {
    assertThat(answer.status()).as(answer::body).isBetween(200, 204);
    return answer;
  }

  static String element(String name, String xml) {
    Pattern pattern = Pattern.compile("<%1$s>([^<]*)</%1$s>".formatted(name));
    return pattern.matcher(xml).results().map(found -> found.group(1)).findFirst().orElseThrow();
  }

  private static String message(String text) {
    return "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
  }

  private static String policies(String permissions) {
    return "<SignedIdentifiers><SignedIdentifier><Id>readers</Id><AccessPolicy>"
        + "<Start>2020-01-01T00:00:00Z</Start><Expiry>2099-12-31T00:00:00Z</Expiry><Permission>"
        + permissions
        + "</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>";
  }

  private static String properties(String origin) {
    return "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>"
        + origin
        + "</AllowedOrigins><AllowedMethods>GET,PUT</AllowedMethods>"
        + "<MaxAgeInSeconds>5</MaxAgeInSeconds><ExposedHeaders>x-ms-*</ExposedHeaders>"
        + "<AllowedHeaders>x-ms-*</AllowedHeaders></CorsRule></Cors></StorageServiceProperties>";
  }

  static String shown(String request, String path, Answer answer) {
    StringBuilder text = new StringBuilder("=== ").append(request).append(' ').append(path);
    text.append('\n').append(answer.status()).append('\n');
    if (answer.status() != 200) {
      return text.toString();
    }
    Map<String, String> headers = new TreeMap<>(answer.headers());
    headers.keySet().removeIf(name -> !isData(name, path));
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    return text.append('\n').append(printable(answer.body())).append('\n').toString();
  }

  /** Returns whether a header shows data. The content and cache headers of a document do not. */
  private static boolean isData(String header, String path) {
    boolean ofBlob = path.startsWith("/docs/") || path.startsWith(BlobFeatures.CONTAINER + "/");
    boolean ofDocument = path.contains("comp=") || !ofBlob;
    return header.startsWith("x-ms-meta-")
        || (DATA_HEADERS.contains(header)
            && !(ofDocument && (header.startsWith("content-") || header.equals("cache-control"))));
  }

  private static String printable(String body) {
    if (body.length() <= SHOWN_CHARACTERS_MAX) {
      return body;
    }
    try {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return bytes.length + " bytes, SHA-256 " + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
