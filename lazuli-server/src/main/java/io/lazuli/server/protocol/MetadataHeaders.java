package io.lazuli.server.protocol;

import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Headers;
import io.lazuli.server.http.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Metadata as headers: {@code x-ms-meta-name: value} (queue-rest 5.1). */
public final class MetadataHeaders {
  private static final String PREFIX = "x-ms-meta-";
  private static final int LENGTH_MAX = 8 << 10;
  private static final ServiceError EMPTY_KEY =
      new ServiceError(
          "EmptyMetadataKey", 400, "The key for one of the metadata key-value pairs is empty.");
  private static final ServiceError INVALID =
      new ServiceError(
          "InvalidMetadata",
          400,
          "The metadata specified is invalid. It has characters that are not permitted.");
  private static final ServiceError TOO_LARGE =
      new ServiceError(
          "MetadataTooLarge",
          400,
          "The size of the specified metadata exceeds the maximum size permitted.");

  private MetadataHeaders() {}

  /** Returns the metadata in the headers of a request. */
  public static Metadata read(Headers headers) {
    Map<String, String> pairs = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int length = 0;
    for (String header : headers.names()) {
      if (header.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
        String name = header.substring(PREFIX.length());
        String value = value(name, headers.all(header));
        if (pairs.put(name, value) != null) {
          throw INVALID.exception();
        }
        length += name.length() + value.length();
      }
    }
    if (length > LENGTH_MAX) {
      throw TOO_LARGE.exception();
    }
    return new Metadata(pairs);
  }

  /** Adds metadata to the headers of an answer. */
  public static void write(Response.Builder response, Metadata metadata) {
    metadata.pairs().forEach((name, value) -> response.header(PREFIX + name, value));
  }

  private static String value(String name, List<String> values) {
    if (name.isEmpty()) {
      throw EMPTY_KEY.exception().with("MetadataValue", values.get(0));
    }
    if (values.size() > 1 || !isIdentifier(name)) {
      throw INVALID.exception();
    }
    return values.get(0).strip();
  }

  private static boolean isIdentifier(String name) {
    return (name.charAt(0) < '0' || name.charAt(0) > '9')
        && name.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || c == '_');
  }
}
