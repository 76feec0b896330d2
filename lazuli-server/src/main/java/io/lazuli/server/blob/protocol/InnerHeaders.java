package io.lazuli.server.blob.protocol;

import io.lazuli.server.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request inside another request; each has one value.
 *
 * @param values the values, by name in lower case
 */
record InnerHeaders(Map<String, String> values) implements Headers {
  @Override
  public @Nullable String first(String name) {
    return values.get(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public Set<String> names() {
    return values.keySet();
  }

  @Override
  public List<String> all(String name) {
    String value = first(name);
    return value == null ? List.of() : List.of(value);
  }
}
