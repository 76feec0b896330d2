package io.lazuli.storage.hbase.balance;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Space;
import io.lazuli.storage.keys.KeyCodec;

/**
 * Formats the first key of a partition for people: the label of its space, a slash, and its name.
 * Everything but printable ASCII is escaped, also in labels. A key of the catalogue is shown
 * without its space. The first key after a space is shown as the end of that space.
 */
public final class ReadableKey {
  private static final int TEXT_MAX = 120;

  private ReadableKey() {}

  /** Returns the text of a key up to its partition; empty for an empty key. */
  public static String of(Bytes key, SpaceLabels labels) {
    byte[] bytes = key.array();
    if (bytes.length < KeyCodec.SPACE_BYTES) {
      return escaped(bytes, 0);
    }
    long space = KeyCodec.space(bytes);
    if (space == Space.CATALOGUE.number()) {
      // The partition without a name holds the rows about the whole store.
      return bytes.length == KeyCodec.SPACE_BYTES
          ? "(store)"
          : escaped(bytes, KeyCodec.SPACE_BYTES);
    }
    return bytes.length == KeyCodec.SPACE_BYTES && isEndOfSpace(space)
        ? "end of " + label(space - 1, labels)
        : label(space, labels) + "/" + escaped(bytes, KeyCodec.SPACE_BYTES);
  }

  /** Returns the space of a key; the catalogue's for a key that has none. */
  public static long space(Bytes key) {
    if (key.length() < KeyCodec.SPACE_BYTES) {
      return Space.CATALOGUE.number();
    }
    long space = KeyCodec.space(key.array());
    return isEndOfSpace(space) ? space - 1 : space;
  }

  /**
   * Returns true if the number is one above that of a space. Counters are stored with their bits
   * reversed, so only a counter that is never reached gives an odd number.
   */
  private static boolean isEndOfSpace(long space) {
    return (space & 1) == 1;
  }

  /** Returns the text of a range, with an ellipsis for an open end. */
  static String range(Bytes from, Bytes to, SpaceLabels labels) {
    return end(from, labels) + " to " + end(to, labels);
  }

  private static String end(Bytes key, SpaceLabels labels) {
    return key.length() == 0 ? "\u2026" : of(key, labels);
  }

  private static String label(long space, SpaceLabels labels) {
    return escaped(labels.of(space).getBytes(UTF_8), 0);
  }

  private static String escaped(byte[] bytes, int from) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < bytes.length; i++) {
      if (text.length() > TEXT_MAX) {
        return text.append('\u2026').toString();
      }
      char c = (char) (bytes[i] & 0xff);
      if (c > ' ' && c < 0x7f && c != '\\') {
        text.append(c);
      } else {
        text.append("\\x%02x".formatted((int) c));
      }
    }
    return text.toString();
  }
}
