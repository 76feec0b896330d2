package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;

/** A blob's name that follows the rules (blob-rest 15); slashes mean nothing but in listings. */
public record BlobName(String text) {
  /** The name, or 400. Dots, double slashes and letters of any script are all kept as they are. */
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

  /** The name of the blob's partition: UTF-8, whose byte order is code-point order. */
  public Bytes key() {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Back from the name of a partition. */
  public static BlobName ofKey(byte[] key) {
    return new BlobName(new String(key, StandardCharsets.UTF_8));
  }

  private static long segments(String text) {
    return 1 + text.chars().filter(c -> c == '/').count();
  }

  /** An unpaired surrogate would not survive UTF-8. */
  private static boolean isAllowed(int point) {
    return !Character.isISOControl(point)
        && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
  }
}
