package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tags of a blob, in the order in which they were given (blob-rest 10.11).
 *
 * @param stamp the number of the write that gave the blob these tags, by which the index of tags
 *     knows its rows; negative if they are in the index of versions; 0 if no index has them
 */
public record BlobTags(Map<String, String> values, long stamp) {
  public static final BlobTags NONE = new BlobTags(Map.of());

  private static final String HEADER = "x-ms-tags";
  private static final String MARKS = " +-./:=_";

  public BlobTags {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    stamp = values.isEmpty() ? 0 : stamp;
  }

  /** Creates tags that the index does not have. */
  public BlobTags(Map<String, String> values) {
    this(values, 0);
  }

  /** Returns true if there are tags that no index has. */
  public boolean isUnindexed() {
    return stamp == 0 && !values.isEmpty();
  }

  /** Returns the same tags with a stamp. */
  public BlobTags stamped(long newStamp) {
    return new BlobTags(values, newStamp);
  }

  /**
   * Parses {@code x-ms-tags}, form-encoded pairs such as {@code k1=v1&k2=v2}; throws 400 if a tag
   * is invalid.
   */
  public static BlobTags parseHeader(String header) {
    ServiceException invalid =
        CommonErrors.INVALID_HEADER_VALUE
            .exception()
            .with("HeaderName", HEADER)
            .with("HeaderValue", header);
    if (header.length() > BlobLimits.TAGS_HEADER_LENGTH_MAX) {
      throw invalid;
    }
    Map<String, String> tags = new LinkedHashMap<>();
    for (String pair : header.isEmpty() ? new String[0] : header.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw invalid;
      }
      add(
          tags,
          decoded(pair.substring(0, equals), invalid),
          decoded(pair.substring(equals + 1), invalid));
    }
    return new BlobTags(tags);
  }

  /** Returns the tags of a document; throws 400 if a tag is invalid. */
  public static BlobTags require(List<Map.Entry<String, String>> pairs) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (Map.Entry<String, String> pair : pairs) {
      add(tags, pair.getKey(), pair.getValue());
    }
    return new BlobTags(tags);
  }

  /** Adds a tag; throws 400 if it is invalid (blob-features 1.1). */
  private static void add(Map<String, String> tags, String key, String value) {
    if (key.isEmpty()) {
      throw BlobErrors.EMPTY_TAG_NAME.exception();
    } else if (!isAllowed(key) || !isAllowed(value)) {
      throw BlobErrors.INVALID_TAG.exception();
    } else if (key.length() > BlobLimits.TAG_KEY_LENGTH_MAX
        || value.length() > BlobLimits.TAG_VALUE_LENGTH_MAX) {
      throw BlobErrors.TAGS_TOO_LARGE.exception();
    } else if (tags.put(key, value) != null) {
      throw BlobErrors.DUPLICATE_TAG_NAMES.exception();
    } else if (tags.size() > BlobLimits.TAGS_MAX) {
      throw BlobErrors.TAGS_TOO_LARGE.exception();
    }
  }

  /** Returns true if a text has only characters that keys and values of tags may have. */
  public static boolean isAllowed(String text) {
    return text.chars()
        .allMatch(
            c ->
                (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || MARKS.indexOf(c) >= 0);
  }

  private static String decoded(String text, ServiceException invalid) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw invalid;
    }
  }
}
