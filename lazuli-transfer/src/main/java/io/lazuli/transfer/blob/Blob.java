package io.lazuli.transfer.blob;

import io.lazuli.transfer.progress.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A blob of a listing or of a file of properties.
 *
 * @param type {@code BlockBlob}, {@code AppendBlob} or {@code PageBlob}
 * @param etag empty if it comes from a file
 * @param headers the headers with which an upload sets the properties
 * @param tier the tier that was set, or empty
 */
record Blob(
    String name,
    String type,
    long bytes,
    String etag,
    Map<String, String> headers,
    Map<String, String> metadata,
    Map<String, String> tags,
    String tier) {

  /** Returns the members of a line of the file of properties. */
  Map<String, @Nullable Object> line(String file) {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("name", name);
    line.put("file", file);
    line.put("type", type);
    line.put("bytes", bytes);
    line.put("headers", headers);
    line.put("metadata", metadata);
    line.put("tags", tags);
    line.put("tier", tier);
    return line;
  }

  static Blob of(Map<String, @Nullable Object> line) {
    return new Blob(
        Json.text(line.get("name")),
        Json.text(line.get("type")),
        Json.number(line.get("bytes")),
        "",
        texts(line.get("headers")),
        texts(line.get("metadata")),
        texts(line.get("tags")),
        Json.text(line.get("tier")));
  }

  static Map<String, String> texts(@Nullable Object value) {
    Map<String, String> texts = new LinkedHashMap<>();
    Json.map(value).forEach((name, text) -> texts.put(name, Json.text(text)));
    return texts;
  }
}
