package io.lazuli.transfer.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A successful answer. The body is read once, while the call is under way. */
public record Answer(int status, HttpHeaders headers, InputStream body) {
  private static final String METADATA = "x-ms-meta-";

  /** Reads an answer. If it fails with an {@link IOException}, the request is sent again. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(Answer answer) throws IOException;
  }

  public @Nullable String header(String name) {
    return headers.firstValue(name).orElse(null);
  }

  /** Returns the metadata of a queue or container. */
  public Map<String, String> metadata() {
    Map<String, String> metadata = new TreeMap<>();
    headers
        .map()
        .forEach(
            (name, values) -> {
              if (name.regionMatches(true, 0, METADATA, 0, METADATA.length())) {
                metadata.put(name.substring(METADATA.length()), values.get(0));
              }
            });
    return metadata;
  }

  /** Reads a body that is known to be short. */
  public String text() throws IOException {
    return new String(body.readAllBytes(), StandardCharsets.UTF_8);
  }
}
