package io.lazuli.client.pattern.outbox;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Several strings as one, whatever is in them: plain ASCII that neither XML nor JSON changes. */
final class Parts {
  private Parts() {}

  static String join(String... parts) {
    return Stream.of(parts)
        .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8))
        .collect(Collectors.joining("/"));
  }

  /**
   * The parts of what {@link #join} made.
   *
   * @throws IllegalArgumentException if it did not
   */
  static List<String> split(String joined) {
    return Stream.of(joined.split("/", -1))
        .map(part -> URLDecoder.decode(part, StandardCharsets.UTF_8))
        .toList();
  }
}
