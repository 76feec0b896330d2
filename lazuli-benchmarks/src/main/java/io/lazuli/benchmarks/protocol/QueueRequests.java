package io.lazuli.benchmarks.protocol;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Renders and signs requests to one queue endpoint. All carry the date this object was made at, so
 * one is made for each round. Not safe for several threads.
 */
public final class QueueRequests {
  private static final String VERSION = "2021-12-02";
  private static final String XML = "application/xml";
  private static final String MESSAGE =
      "<QueueMessage><MessageText>"
          + "An order of middling length; ".repeat(7)
          + "</MessageText></QueueMessage>";

  /** Nobody sees a message again while a benchmark runs. */
  private static final String HIDDEN_SECONDS = "86400";

  private final URI endpoint;
  private final String date;
  private final DevelopmentKey key = new DevelopmentKey();

  private QueueRequests(URI endpoint, String date) {
    this.endpoint = endpoint;
    this.date = date;
  }

  /** For an endpoint such as {@code http://127.0.0.1:10001/devstoreaccount1}. */
  public static QueueRequests signedNow(URI endpoint) {
    return signedAt(
        endpoint, DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
  }

  static QueueRequests signedAt(URI endpoint, String date) {
    return new QueueRequests(endpoint, date);
  }

  public ByteBuffer create(String queue) {
    return request("PUT", "/" + queue, new TreeMap<>(), "");
  }

  public ByteBuffer put(String queue) {
    return request("POST", "/" + queue + "/messages", new TreeMap<>(), MESSAGE);
  }

  /** Gets one message. */
  public ByteBuffer get(String queue) {
    return request(
        "GET",
        "/" + queue + "/messages",
        new TreeMap<>(Map.of("numofmessages", "1", "visibilitytimeout", HIDDEN_SECONDS)),
        "");
  }

  public ByteBuffer delete(String queue, String id, String receipt) {
    return request(
        "DELETE",
        "/" + queue + "/messages/" + id,
        new TreeMap<>(Map.of("popreceipt", receipt)),
        "");
  }

  private ByteBuffer request(
      String verb, String resource, SortedMap<String, String> query, String body) {
    String path = endpoint.getRawPath() + resource;
    StringBuilder text = new StringBuilder(512 + body.length());
    text.append(verb).append(' ').append(path).append(rendered(query)).append(" HTTP/1.1\r\n");
    header(text, "Host", endpoint.getRawAuthority());
    header(text, "x-ms-date", date);
    header(text, "x-ms-version", VERSION);
    header(text, "Authorization", authorization(verb, path, query, body.length()));
    header(text, "Content-Length", Integer.toString(body.length()));
    if (!body.isEmpty()) {
      header(text, "Content-Type", XML);
    }
    text.append("\r\n").append(body);
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private String authorization(
      String verb, String path, SortedMap<String, String> query, int length) {
    StringBuilder text = new StringBuilder(256);
    text.append(verb).append("\n\n\n").append(length == 0 ? "" : length);
    text.append("\n\n").append(length == 0 ? "" : XML).append("\n\n\n\n\n\n\n");
    text.append("x-ms-date:").append(date).append('\n');
    text.append("x-ms-version:").append(VERSION).append('\n');
    text.append('/').append(DevelopmentKey.ACCOUNT).append(path);
    query.forEach((name, value) -> text.append('\n').append(name).append(':').append(value));
    return key.authorization("SharedKey", text.toString());
  }

  private static String rendered(SortedMap<String, String> query) {
    StringBuilder text = new StringBuilder();
    query.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? '?' : '&')
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return text.toString();
  }

  private static void header(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
}
