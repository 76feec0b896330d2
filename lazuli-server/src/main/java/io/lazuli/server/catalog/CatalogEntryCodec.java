package io.lazuli.server.catalog;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Catalogue rows. Key: {@code n} and the name in lower case. Value: format version (1 byte), space
 * number (8), length of the name as created (2), the name in UTF-8.
 */
final class CatalogEntryCodec {
  private static final byte FORMAT_VERSION = 1;
  private static final char NAME_ROW = 'n';

  /** Behind the last row that holds a name. */
  static final Bytes NAMES_END = row("", (char) (NAME_ROW + 1));

  private CatalogEntryCodec() {}

  static Bytes row(String key) {
    return row(key, NAME_ROW);
  }

  static byte[] encode(long space, String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(11 + text.length)
        .put(FORMAT_VERSION)
        .putLong(space)
        .putShort((short) text.length)
        .put(text)
        .array();
  }

  static CatalogEntry decode(Partition home, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    byte version = in.get();
    if (version != FORMAT_VERSION) {
      throw new IllegalStateException("catalogue row of unknown format " + version);
    }
    Space space = new Space(in.getLong(), home);
    byte[] text = new byte[in.getShort()];
    in.get(text);
    return new CatalogEntry(new String(text, StandardCharsets.UTF_8), space);
  }

  private static Bytes row(String key, char kind) {
    return Bytes.of((kind + key).getBytes(StandardCharsets.UTF_8));
  }
}
