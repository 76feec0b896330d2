package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/**
 * Where the next page of a listing begins. Names a place in the order of keys, not an item, so it
 * is good after a restart and whatever came or went meanwhile. Text: {@code 1!} and, in URL-safe
 * Base64, the snapshot ticks (8 bytes) and the key.
 *
 * @param key the first name that may be listed; not always UTF-8
 * @param snapshotTicks the first of its snapshots that may be listed, if it has that name; {@link
 *     #BASE_BLOB} for none of them
 */
public record ListMarker(Bytes key, long snapshotTicks) {
  /** Behind every snapshot: a listing shows them before their blob. */
  public static final long BASE_BLOB = Long.MAX_VALUE;

  private static final String VERSION = "1!";

  /** No name is longer in UTF-8: three bytes for each UTF-16 unit. */
  private static final int KEY_BYTES_MAX = 3 * BlobLimits.NAME_LENGTH_MAX;

  /** A page that begins with the first item at or behind a key. */
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

  /** Reads what {@link #text} wrote; 400 for anything else. */
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
