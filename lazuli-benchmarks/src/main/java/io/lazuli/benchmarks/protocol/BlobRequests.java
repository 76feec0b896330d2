package io.lazuli.benchmarks.protocol;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Renders and signs requests to one blob endpoint. All carry the date at which this object was
 * created, so each round needs a new one. Not thread-safe.
 */
public final class BlobRequests {
  private static final String BYTES = "application/octet-stream";

  private final SharedKeyHeads heads;

  private BlobRequests(SharedKeyHeads heads) {
    this.heads = heads;
  }

  /** Creates requests for an endpoint such as {@code http://127.0.0.1:10000/devstoreaccount1}. */
  public static BlobRequests signedNow(URI endpoint) {
    return signedAt(endpoint, SharedKeyHeads.now());
  }

  static BlobRequests signedAt(URI endpoint, String date) {
    return new BlobRequests(new SharedKeyHeads(endpoint, date));
  }

  public ByteBuffer createContainer(String container) {
    return plain("PUT", "/" + container, Map.of("restype", "container"), Map.of());
  }

  /** Returns a request that puts a whole blob. */
  public ByteBuffer put(String container, String blob, Payload payload) {
    return payload.after(
        heads.head(
            "PUT",
            path(container, blob),
            Map.of(),
            Map.of("x-ms-blob-type", "BlockBlob"),
            BYTES,
            payload.length()));
  }

  /** Returns a request that stages a block, to be committed later. */
  public ByteBuffer putBlock(String container, String blob, int block, Payload payload) {
    return payload.after(
        heads.head(
            "PUT",
            path(container, blob),
            Map.of("comp", "block", "blockid", blockId(block)),
            Map.of(),
            BYTES,
            payload.length()));
  }

  /** Returns a request that commits the given number of staged blocks, from the first on. */
  public ByteBuffer commit(String container, String blob, int blocks) {
    StringBuilder body = new StringBuilder("<BlockList>");
    for (int i = 0; i < blocks; i++) {
      body.append("<Latest>").append(blockId(i)).append("</Latest>");
    }
    body.append("</BlockList>");
    String head =
        heads.head(
            "PUT",
            path(container, blob),
            Map.of("comp", "blocklist"),
            Map.of(),
            SharedKeyHeads.XML,
            body.length());
    return ByteBuffer.wrap((head + body).getBytes(StandardCharsets.US_ASCII));
  }

  public ByteBuffer get(String container, String blob) {
    return plain("GET", path(container, blob), Map.of(), Map.of());
  }

  public ByteBuffer getRange(String container, String blob, long from, long length) {
    String range = "bytes=" + from + "-" + (from + length - 1);
    return plain("GET", path(container, blob), Map.of(), Map.of("x-ms-range", range));
  }

  /**
   * Returns a request for a page of a listing.
   *
   * @param marker the marker from the previous page; empty for the first
   */
  public ByteBuffer list(String container, String prefix, String marker) {
    Map<String, String> query = new TreeMap<>(Map.of("restype", "container", "comp", "list"));
    if (!prefix.isEmpty()) {
      query.put("prefix", prefix);
    }
    if (!marker.isEmpty()) {
      query.put("marker", marker);
    }
    return plain("GET", "/" + container, query, Map.of());
  }

  private ByteBuffer plain(
      String verb, String resource, Map<String, String> query, Map<String, String> headers) {
    String head = heads.head(verb, resource, query, headers, "", 0);
    return ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
  }

  private static String path(String container, String blob) {
    return "/" + container + "/" + blob;
  }

  private static String blockId(int block) {
    byte[] id = String.format(Locale.ROOT, "%06d", block).getBytes(StandardCharsets.US_ASCII);
    return Base64.getEncoder().encodeToString(id);
  }
}
