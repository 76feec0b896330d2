package io.lazuli.server.catalog;

import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The rows of the catalogue. Key: {@code n} and the name in lower case. Value: format version (1
 * byte), space number (8), length of the name as created (2), the name in UTF-8. In version 2 the
 * stored access policies follow; in version 3 their length (4), the policies, and the metadata; in
 * version 4 the stamp (8) and then the same as in version 3. A row is written in the lowest version
 * that can hold it.
 */
final class CatalogEntryCodec {
  private static final byte NAME_ONLY = 1;
  private static final byte WITH_POLICIES = 2;
  private static final byte WITH_METADATA = 3;
  private static final byte WITH_STAMP = 4;

  /** The length of the fixed part: version, space number, length of the name. */
  private static final int HEAD_BYTES = 11;

  private static final char NAME_ROW = 'n';

  /** The row of a home that holds the properties of its service. */
  static final Bytes PROPERTIES = row("", 'p');

  /** The first possible row after all rows that hold names. */
  static final Bytes NAMES_END = row("", (char) (NAME_ROW + 1));

  private CatalogEntryCodec() {}

  static Bytes row(String key) {
    return row(key, NAME_ROW);
  }

  static byte[] encode(CatalogRow row) {
    byte version = version(row);
    byte[] text = row.name().getBytes(StandardCharsets.UTF_8);
    int stampBytes = version == WITH_STAMP ? Long.BYTES : 0;
    int lengthBytes = version >= WITH_METADATA ? Integer.BYTES : 0;
    int ownBytes = row.policies().length + row.metadata().length;
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_BYTES + text.length + stampBytes + lengthBytes + ownBytes);
    out.put(version).putLong(row.space()).putShort((short) text.length).put(text);
    if (version == WITH_STAMP) {
      out.putLong(row.stamp());
    }
    if (version >= WITH_METADATA) {
      out.putInt(row.policies().length);
    }
    return out.put(row.policies()).put(row.metadata()).array();
  }

  static CatalogRow decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    byte version = in.get();
    if (version < NAME_ONLY || version > WITH_STAMP) {
      throw new IllegalStateException("unknown format of a catalogue row: " + version);
    }
    long space = in.getLong();
    String name = new String(bytes(in, in.getShort()), StandardCharsets.UTF_8);
    long stamp = version == WITH_STAMP ? in.getLong() : 0;
    byte[] policies = bytes(in, version >= WITH_METADATA ? in.getInt() : in.remaining());
    return new CatalogRow(name, space, stamp, policies, bytes(in, in.remaining()));
  }

  private static byte version(CatalogRow row) {
    if (row.stamp() != 0) {
      return WITH_STAMP;
    } else if (row.metadata().length > 0) {
      return WITH_METADATA;
    }
    return row.policies().length > 0 ? WITH_POLICIES : NAME_ONLY;
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static Bytes row(String key, char kind) {
    return Bytes.of((kind + key).getBytes(StandardCharsets.UTF_8));
  }
}
