package io.lazuli.benchmarks.protocol;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Renders and signs the heads of requests to one queue or blob endpoint, all with one date. Not
 * thread-safe.
 */
final class SharedKeyHeads {
  static final String XML = "application/xml";

  private static final String VERSION = "2021-12-02";

  private final URI endpoint;
  private final String date;
  private final DevelopmentKey key = new DevelopmentKey();

  SharedKeyHeads(URI endpoint, String date) {
    this.endpoint = endpoint;
    this.date = date;
  }

  static String now() {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  /**
   * Returns the head, including the empty line that ends it.
   *
   * @param headers headers whose names begin with {@code x-ms-}
   * @param type the type of the body; not sent if there is no body
   * @param length the length of the body
   */
  String head(
      String verb,
      String resource,
      Map<String, String> query,
      Map<String, String> headers,
      String type,
      int length) {
    String path = endpoint.getRawPath() + resource;
    SortedMap<String, String> parameters = new TreeMap<>(query);
    SortedMap<String, String> signed = new TreeMap<>(headers);
    signed.put("x-ms-date", date);
    signed.put("x-ms-version", VERSION);
    String authorization =
        authorization(verb, path, parameters, signed, length == 0 ? "" : type, length);
    StringBuilder text = new StringBuilder(512);
    text.append(verb).append(' ').append(path).append(rendered(parameters)).append(" HTTP/1.1\r\n");
    header(text, "Host", endpoint.getRawAuthority());
    signed.forEach((name, value) -> header(text, name, value));
    header(text, "Authorization", authorization);
    header(text, "Content-Length", Integer.toString(length));
    if (length > 0) {
      header(text, "Content-Type", type);
    }
    return text.append("\r\n").toString();
  }

  private String authorization(
      String verb,
      String path,
      SortedMap<String, String> query,
      SortedMap<String, String> headers,
      String type,
      int length) {
    StringBuilder text = new StringBuilder(256);
    text.append(verb).append("\n\n\n").append(length == 0 ? "" : length);
    text.append("\n\n").append(type).append("\n\n\n\n\n\n\n");
    headers.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
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
