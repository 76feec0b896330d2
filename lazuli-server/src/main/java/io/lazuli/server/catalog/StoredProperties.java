package io.lazuli.server.catalog;

import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one service of an account. Stored form: the document. On a shared engine,
 * format version (1 byte), stamp (8) and the document. No document begins with the byte of the
 * version. If properties are removed there, version and stamp stay, because no stamp is used twice.
 *
 * @param document the properties as their owner encoded them; null if there are none. Nobody may
 *     write to the array
 * @param stamp the number of the space that stands for this document
 */
public record StoredProperties(byte @Nullable [] document, long stamp) {
  /** The document of properties that are removed. */
  static final byte[] NOTHING = new byte[0];

  private static final byte WITH_STAMP = 1;
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  /** Reads the value of a row; null if there is no row. */
  static StoredProperties decode(byte @Nullable [] value, SpaceKind kind) {
    if (value == null || value.length < HEAD_BYTES || value[0] != WITH_STAMP) {
      // A home whose properties were never changed has this stamp. No space has the counter 0.
      return new StoredProperties(value, Space.number(kind, 0));
    }
    byte[] document = Arrays.copyOfRange(value, HEAD_BYTES, value.length);
    return new StoredProperties(
        document.length == 0 ? null : document, ByteBuffer.wrap(value).getLong(1));
  }

  /**
   * Returns the value of the row.
   *
   * @param stamp 0 for none
   */
  static byte[] encode(byte[] document, long stamp) {
    return stamp == 0
        ? document.clone()
        : ByteBuffer.allocate(HEAD_BYTES + document.length)
            .put(WITH_STAMP)
            .putLong(stamp)
            .put(document)
            .array();
  }
}
