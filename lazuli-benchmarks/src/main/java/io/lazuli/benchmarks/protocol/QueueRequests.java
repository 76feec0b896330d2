package io.lazuli.benchmarks.protocol;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Renders and signs requests to one queue endpoint. All carry the date at which this object was
 * created, so each round needs a new one. Not thread-safe.
 */
public final class QueueRequests {
  private static final String MESSAGE =
      "<QueueMessage><MessageText>"
          + "An order of middling length; ".repeat(7)
          + "</MessageText></QueueMessage>";

  /** Long enough that no message becomes visible again while a benchmark runs. */
  private static final String HIDDEN_SECONDS = "86400";

  private final SharedKeyHeads heads;

  private QueueRequests(SharedKeyHeads heads) {
    this.heads = heads;
  }

  /** Creates requests for an endpoint such as {@code http://127.0.0.1:10001/devstoreaccount1}. */
  public static QueueRequests signedNow(URI endpoint) {
    return signedAt(endpoint, SharedKeyHeads.now());
  }

  static QueueRequests signedAt(URI endpoint, String date) {
    return new QueueRequests(new SharedKeyHeads(endpoint, date));
  }

  public ByteBuffer create(String queue) {
    return request("PUT", "/" + queue, Map.of(), "");
  }

  public ByteBuffer put(String queue) {
    return request("POST", "/" + queue + "/messages", Map.of(), MESSAGE);
  }

  /** Returns a request that gets one message. */
  public ByteBuffer get(String queue) {
    return request(
        "GET",
        "/" + queue + "/messages",
        Map.of("numofmessages", "1", "visibilitytimeout", HIDDEN_SECONDS),
        "");
  }

  public ByteBuffer delete(String queue, String id, String receipt) {
    return request("DELETE", "/" + queue + "/messages/" + id, Map.of("popreceipt", receipt), "");
  }

  private ByteBuffer request(String verb, String resource, Map<String, String> query, String body) {
    String head = heads.head(verb, resource, query, Map.of(), SharedKeyHeads.XML, body.length());
    return ByteBuffer.wrap((head + body).getBytes(StandardCharsets.US_ASCII));
  }
}
