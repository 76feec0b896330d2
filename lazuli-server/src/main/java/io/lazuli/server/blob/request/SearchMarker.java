package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The position at which the next page of a search for tags begins. It is a position in the order of
 * the index, not an item, so it stays valid after a restart and when blobs change. Text form:
 * {@code 1!} and, in URL-safe Base64, the four fields, each after its length (2 bytes).
 *
 * @param container the first container that may have results
 * @param key the key of the tag whose values the search follows; empty at the start of a container
 * @param value the value of that tag
 * @param name the first name that may be found; not always a valid name. In a search for versions,
 *     {@code 00} and the ticks of a version may follow
 */
public record SearchMarker(String container, String key, String value, Bytes name) {
  private static final String VERSION = "1!";
  private static final int FIELD_BYTES_MAX = 3 * BlobLimits.NAME_LENGTH_MAX + 1 + Long.BYTES + 1;

  /** Returns the marker of a page that begins with a container. */
  public static SearchMarker ofContainer(String container) {
    return new SearchMarker(container, "", "", Bytes.EMPTY);
  }

  public String text() {
    byte[][] fields = {bytes(container), bytes(key), bytes(value), name.array()};
    int length = 0;
    for (byte[] field : fields) {
      length += Short.BYTES + field.length;
    }
    ByteBuffer out = ByteBuffer.allocate(length);
    for (byte[] field : fields) {
      out.putShort((short) field.length).put(field);
    }
    return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
  }

  /** Parses the result of {@link #text}; throws 400 for anything else. */
  public static SearchMarker require(String text) {
    ByteBuffer in = ByteBuffer.wrap(decoded(text));
    SearchMarker marker =
        new SearchMarker(readText(in), readText(in), readText(in), Bytes.of(read(in)));
    if (in.hasRemaining()) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    return marker;
  }

  private static byte[] decoded(String text) {
    try {
      return text.startsWith(VERSION)
          ? Base64.getUrlDecoder().decode(text.substring(VERSION.length()))
          : new byte[0];
    } catch (IllegalArgumentException e) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
  }

  private static String readText(ByteBuffer in) {
    return new String(read(in), StandardCharsets.UTF_8);
  }

  private static byte[] read(ByteBuffer in) {
    int length = in.remaining() < Short.BYTES ? -1 : in.getShort();
    if (length < 0 || length > in.remaining() || length > FIELD_BYTES_MAX) {
      throw CommonErrors.OUT_OF_RANGE_INPUT.exception();
    }
    byte[] field = new byte[length];
    in.get(field);
    return field;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
