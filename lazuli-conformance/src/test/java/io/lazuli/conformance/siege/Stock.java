package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What attackers find on the server. Storing something twice changes nothing. */
final class Stock {

  static final int METADATA_CHARS = 7_900;
  static final int LARGE_ENTITIES = 8;

  /** The properties of a large entity, and the characters U+0001 in each. */
  private static final int PROPERTIES = 16;

  private static final int PROPERTY_CHARS = 32_000;
  private static final int BLOCK_BYTES = 4 << 20;
  private static final Pattern NAME = Pattern.compile("<Name>(table/[^<]*)</Name>");

  private Stock() {}

  /** Stores a public container whose listing has about 8 KB for each blob. */
  static void publicContainer(Target target, int blobs) throws IOException {
    Requests.send(
        target,
        StorageService.BLOB,
        1,
        i ->
            target
                .wire(StorageService.BLOB)
                .request("PUT", "/open?restype=container")
                .header("x-ms-blob-public-access", "container")
                .body("")
                .bytes());
    String metadata = "m".repeat(METADATA_CHARS);
    Requests.send(
        target,
        StorageService.BLOB,
        blobs,
        i -> put(target, "/open/small" + i).header("x-ms-meta-a", metadata).body("x").bytes());
  }

  static final String PUBLIC_LISTING = "/open?restype=container&comp=list&include=metadata";

  private static WireRequest put(Target target, String resource) {
    return target
        .signed(StorageService.BLOB, "PUT", resource)
        .header("x-ms-blob-type", "BlockBlob");
  }

  /** Stores the public blob {@code /open/large}. */
  static void largeBlob(Target target, int mib) throws IOException {
    int blocks = Math.max(1, (mib << 20) / BLOCK_BYTES);
    byte[] content = new byte[Math.min(mib << 20, BLOCK_BYTES)];
    blocks(target, "large", blocks, content);
    StringBuilder list = new StringBuilder("<BlockList>");
    for (int i = 0; i < blocks; i++) {
      list.append("<Latest>").append(blockId(i)).append("</Latest>");
    }
    byte[] commit =
        target
            .signed(StorageService.BLOB, "PUT", "/open/large?comp=blocklist")
            .body(list.append("</BlockList>").toString())
            .bytes();
    Requests.send(target, StorageService.BLOB, 1, i -> commit);
  }

  /** Stores uncommitted blocks of a blob in the public container. */
  static void blocks(Target target, String blob, int count, byte[] content) throws IOException {
    Requests.send(
        target,
        StorageService.BLOB,
        count,
        content.length > 1 << 20 ? 2 : 16,
        i ->
            target
                .signed(
                    StorageService.BLOB,
                    "PUT",
                    "/open/" + blob + "?comp=block&blockid=" + Keys.encode(blockId(i)))
                .body(content)
                .bytes());
  }

  static String blockId(int number) {
    byte[] id = "%08d".formatted(number).getBytes(StandardCharsets.US_ASCII);
    return Base64.getEncoder().encodeToString(id);
  }

  /**
   * Stores entities of 512,000 characters U+0001, which take a byte each in the store and six in
   * JSON.
   */
  static void largeEntities(Target target) throws IOException {
    byte[] create =
        target.wire(StorageService.TABLE).post("/Tables", "{\"TableName\":\"stock\"}").bytes();
    Requests.send(target, StorageService.TABLE, 1, i -> create);
    putLargeEntities(target, "stock", LARGE_ENTITIES);
  }

  /** Puts the large entities into a table, in bodies of 3 MB that are sent at the same time. */
  static void putLargeEntities(Target target, String table, int count) throws IOException {
    String json = largeEntity();
    Requests.send(
        target,
        StorageService.TABLE,
        count,
        1,
        i ->
            target
                .signed(StorageService.TABLE, "PUT", Keys.path(table, "large", "r" + i))
                .body(json)
                .bytes());
  }

  static String entity(int number) {
    return Keys.path("stock", "large", "r" + number);
  }

  private static String largeEntity() {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < PROPERTIES; i++) {
      json.append(i == 0 ? "" : ",").append("\"v%d\":\"".formatted(i));
      json.append("\\u0001".repeat(PROPERTY_CHARS)).append('"');
    }
    return json.append('}').toString();
  }

  /** Returns the bytes of a page that has all large entities. */
  static long largePageBytes() {
    return 6L * LARGE_ENTITIES * PROPERTIES * PROPERTY_CHARS;
  }

  /** Stores containers whose metadata is five times as long in XML. */
  static void containers(Target target, int count) throws IOException {
    String metadata = "&".repeat(METADATA_CHARS);
    Requests.send(
        target,
        StorageService.BLOB,
        count,
        i ->
            target
                .signed(StorageService.BLOB, "PUT", "/wide%05d?restype=container".formatted(i))
                .header("x-ms-meta-a", metadata)
                .body("")
                .bytes());
  }

  /** Stores queues whose metadata is five times as long in XML. */
  static void queues(Target target, int count) throws IOException {
    String metadata = "&".repeat(METADATA_CHARS);
    Requests.send(
        target,
        StorageService.QUEUE,
        count,
        i ->
            target
                .signed(StorageService.QUEUE, "PUT", "/wide%05d".formatted(i))
                .header("x-ms-meta-a", metadata)
                .body("")
                .bytes());
  }

  /** Lets the server log requests with long URLs. Returns the path of a log blob. */
  static String log(Target target, int requests) throws IOException {
    WireClient tables = target.wire(StorageService.TABLE);
    AccountProperties.remember(tables)
        .set(
            "<Logging><Version>1.0</Version><Delete>false</Delete><Read>true</Read>"
                + "<Write>false</Write><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>"
                + "</Logging>");
    String url = "/Tables?x=" + "x".repeat(3_500);
    Requests.send(
        target,
        StorageService.TABLE,
        requests,
        i -> target.signed(StorageService.TABLE, "GET", url).bytes());
    WireClient blobs = target.wire(StorageService.BLOB);
    Waiting.until(() -> logName(blobs).find());
    Matcher name = logName(blobs);
    if (!name.find()) {
      throw new IOException("there is no log");
    }
    return "/$logs/" + name.group(1);
  }

  private static Matcher logName(WireClient blobs) {
    WireAnswer listing = blobs.get("/$logs?restype=container&comp=list").send();
    return NAME.matcher(listing.text());
  }
}
