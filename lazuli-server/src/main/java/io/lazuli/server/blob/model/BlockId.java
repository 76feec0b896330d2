package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Bytes;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The name of a block within its blob (blob-rest 11.1).
 *
 * @param bytes at most 64 bytes; none for content that was put as a whole, which no block list
 *     shows
 */
public record BlockId(Bytes bytes) {
  /** The id of content that is not part of a block list. */
  public static final BlockId NONE = new BlockId(Bytes.EMPTY);

  /** Parses the parameter {@code blockid}; throws 400 if it is not an id. */
  public static BlockId requireParameter(String text) {
    byte[] bytes = decoded(text);
    if (bytes == null) {
      throw CommonErrors.INVALID_QUERY_PARAMETER_VALUE
          .exception()
          .with("QueryParameterName", "blockid")
          .with("QueryParameterValue", text)
          .with("Reason", "Not a valid base64 string.");
    }
    if (bytes.length > BlobLimits.BLOCK_ID_BYTES_MAX) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    return new BlockId(Bytes.of(bytes));
  }

  /** Parses an id in a block list; throws 400 if it is not an id. */
  public static BlockId requireListed(String text) {
    byte[] bytes = decoded(text);
    if (bytes == null || bytes.length > BlobLimits.BLOCK_ID_BYTES_MAX) {
      throw BlobErrors.INVALID_BLOCK_ID.exception();
    }
    return new BlockId(Bytes.of(bytes));
  }

  /** Returns the id in Base64, as the protocol shows it. */
  public String text() {
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /**
   * Decodes Base64; null if the text is not in canonical form, which encoding the bytes again would
   * give.
   */
  private static byte @Nullable [] decoded(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      boolean exact = Base64.getEncoder().encodeToString(bytes).equals(text);
      return exact && bytes.length > 0 ? bytes : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
