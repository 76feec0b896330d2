package io.lazuli.server.catalog;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Catalogue rows. Key: {@code n} and the name in lower case. Value: format version (1 byte), space
 * number (8), length of the name as created (2), the name in UTF-8. In version 2 the stored access
 * policies follow, as their owner encodes them; a name without policies is written as version 1.
 */
final class CatalogEntryCodec {
  private static final byte WITHOUT_POLICIES = 1;
  private static final byte WITH_POLICIES = 2;

  /** Version, number of the space, length of the name. */
  private static final int HEAD_BYTES = 11;

  private static final char NAME_ROW = 'n';

  /** The row of a home that holds the properties of its service. */
  static final Bytes PROPERTIES = row("", 'p');

  /** Behind the last row that holds a name. */
  static final Bytes NAMES_END = row("", (char) (NAME_ROW + 1));

  private CatalogEntryCodec() {}

  static Bytes row(String key) {
    return row(key, NAME_ROW);
  }

  static byte[] encode(long space, String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(HEAD_BYTES + text.length)
        .put(WITHOUT_POLICIES)
        .putLong(space)
        .putShort((short) text.length)
        .put(text)
        .array();
  }

  static CatalogEntry decode(Partition home, byte[] value) {
    requireKnown(value);
    ByteBuffer in = ByteBuffer.wrap(value, 1, value.length - 1);
    Space space = new Space(in.getLong(), home);
    byte[] text = new byte[in.getShort()];
    in.get(text);
    return new CatalogEntry(new String(text, StandardCharsets.UTF_8), space);
  }

  /** The policies of a row; empty if it has none. */
  static byte[] policies(byte[] value) {
    requireKnown(value);
    return Arrays.copyOfRange(value, nameEnd(value), value.length);
  }

  /** The same row with other policies. */
  static byte[] withPolicies(byte[] value, byte[] policies) {
    requireKnown(value);
    int nameEnd = nameEnd(value);
    byte[] changed = Arrays.copyOf(value, nameEnd + policies.length);
    changed[0] = policies.length == 0 ? WITHOUT_POLICIES : WITH_POLICIES;
    System.arraycopy(policies, 0, changed, nameEnd, policies.length);
    return changed;
  }

  private static int nameEnd(byte[] value) {
    return HEAD_BYTES + ByteBuffer.wrap(value).getShort(HEAD_BYTES - 2);
  }

  private static void requireKnown(byte[] value) {
    if (value[0] != WITHOUT_POLICIES && value[0] != WITH_POLICIES) {
      throw new IllegalStateException("catalogue row of unknown format " + value[0]);
    }
  }

  private static Bytes row(String key, char kind) {
    return Bytes.of((kind + key).getBytes(StandardCharsets.UTF_8));
  }
}
