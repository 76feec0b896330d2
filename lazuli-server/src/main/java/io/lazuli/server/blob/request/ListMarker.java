package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/**
 * The position at which the next page of a listing begins. It is a position in the order of keys,
 * not an item, so it stays valid after a restart and when blobs are added or removed. Text form:
 * {@code 1!} and, in URL-safe Base64, the snapshot ticks (8 bytes) and the key.
 *
 * @param key the first name that may be listed; not always valid UTF-8
 * @param snapshotTicks the first snapshot of that name that may be listed; {@link #BASE_BLOB} to
 *     list none of them
 */
public record ListMarker(Bytes key, long snapshotTicks) {
  /**
   * The position of the blob itself, which is after all its snapshots, because a listing shows
   * snapshots first.
   */
  public static final long BASE_BLOB = Long.MAX_VALUE;

  private static final String VERSION = "1!";

  /** The longest name in UTF-8: three bytes for each UTF-16 unit. */
  private static final int KEY_BYTES_MAX = 3 * BlobLimits.NAME_LENGTH_MAX;

  /** Returns the marker of a page that begins with the first item at or after a key. */
  public static ListMarker at(Bytes key) {
    return new ListMarker(key, 0);
  }

  public String text() {
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES + key.length())
            .putLong(snapshotTicks)
            .put(key.array())
            .array();
    return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Parses the result of {@link #text}; throws 400 for anything else. */
  public static ListMarker require(String text) {
    byte[] bytes =
        text.startsWith(VERSION) ? decoded(text.substring(VERSION.length())) : new byte[0];
    if (bytes.length < Long.BYTES || bytes.length > Long.BYTES + KEY_BYTES_MAX) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    long ticks = ByteBuffer.wrap(bytes).getLong();
    if (ticks < 0) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    return new ListMarker(Bytes.of(Arrays.copyOfRange(bytes, Long.BYTES, bytes.length)), ticks);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
  }
}
