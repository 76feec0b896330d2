package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;

/** A valid name of a blob (blob-rest 15). Slashes have a meaning only in listings. */
public record BlobName(String text) {
  /**
   * Returns the name, or throws 400. Dots, double slashes and letters of any script stay as they
   * are.
   */
  public static BlobName require(String text) {
    if (text.isEmpty()
        || text.length() > BlobLimits.NAME_LENGTH_MAX
        || segments(text) > BlobLimits.NAME_SEGMENTS_MAX) {
      throw CommonErrors.NAME_LENGTH_OUT_OF_RANGE.exception();
    }
    if (!text.codePoints().allMatch(BlobName::isAllowed)) {
      throw CommonErrors.INVALID_RESOURCE_NAME.exception();
    }
    return new BlobName(text);
  }

  /**
   * Returns the name of the blob's partition in UTF-8, whose byte order is the order of code
   * points.
   */
  public Bytes key() {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the name of the blob whose partition has the given key. */
  public static BlobName ofKey(byte[] key) {
    return new BlobName(new String(key, StandardCharsets.UTF_8));
  }

  private static long segments(String text) {
    return 1 + text.chars().filter(c -> c == '/').count();
  }

  /**
   * Returns false for control characters, and for unpaired surrogates, which UTF-8 cannot
   * represent.
   */
  private static boolean isAllowed(int point) {
    return !Character.isISOControl(point)
        && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
  }
}
