package io.lazuli.client.pattern.outbox;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Joins strings with any content into one ASCII string that needs no escaping in XML or JSON. */
final class Parts {
  private Parts() {}

  static String join(String... parts) {
    return Stream.of(parts)
        .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8))
        .collect(Collectors.joining("/"));
  }

  /**
   * Returns the parts that {@link #join} joined.
   *
   * @throws IllegalArgumentException if the text is not a result of {@code join}
   */
  static List<String> split(String joined) {
    return Stream.of(joined.split("/", -1))
        .map(part -> URLDecoder.decode(part, StandardCharsets.UTF_8))
        .toList();
  }
}
