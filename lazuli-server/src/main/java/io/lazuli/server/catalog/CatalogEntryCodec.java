package io.lazuli.server.catalog;

import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The rows of the catalogue. Key: {@code n} and the name in lower case. Value: format version (1
 * byte), space number (8), length of the name as created (2), the name in UTF-8. In version 2 the
 * stored access policies follow; in version 3 their length (4), the policies, and the metadata; in
 * version 4 the stamp (8) and then the same as in version 3; in version 5, which only restored
 * names have, the stamp (8), the gate (8), and then the same. A row is written in the lowest
 * version that can hold it.
 *
 * <p>A soft-deleted name has two rows. One has the key {@code d} and the {@link DeletedName#key} of
 * the deletion; its value is a format version (1 byte), the time from which the name cannot be
 * restored (8), and the row that the name had. The other has the key {@code e}, that time (8) and
 * the same key; its value is one byte.
 */
final class CatalogEntryCodec {
  private static final byte NAME_ONLY = 1;
  private static final byte WITH_POLICIES = 2;
  private static final byte WITH_METADATA = 3;
  private static final byte WITH_STAMP = 4;
  private static final byte WITH_GATE = 5;
  private static final byte DELETED_VERSION = 1;

  /** The length of the fixed part: version, space number, length of the name. */
  private static final int HEAD_BYTES = 11;

  private static final char NAME_ROW = 'n';
  private static final char DELETED_ROW = 'd';
  private static final char DUE_ROW = 'e';

  /** The row of a home that holds the properties of its service. */
  static final Bytes PROPERTIES = row("", 'p');

  /** The first possible row after all rows that hold names. */
  static final Bytes NAMES_END = row("", (char) (NAME_ROW + 1));

  /** The first possible row after all rows of soft-deleted names. */
  static final Bytes DELETED_END = row("", DUE_ROW);

  /** The start of the rows that say when soft-deleted names are removed, in that order. */
  static final Bytes DUE = row("", DUE_ROW);

  private CatalogEntryCodec() {}

  /** Returns the row of a soft-deleted name. */
  static Bytes deletedRow(String key) {
    return row(key, DELETED_ROW);
  }

  static boolean isDeleted(Bytes row) {
    return row.length() > 0 && row.array()[0] == DELETED_ROW;
  }

  /** Returns true for the row that says when a soft-deleted name is removed. */
  static boolean isDue(Bytes row) {
    return row.length() > 0 && row.array()[0] == DUE_ROW;
  }

  /** Returns the row that says when a soft-deleted name is removed. */
  static Bytes dueRow(long endTicks, String key) {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    return Bytes.of(
        ByteBuffer.allocate(1 + Long.BYTES + text.length)
            .put((byte) DUE_ROW)
            .putLong(endTicks)
            .put(text)
            .array());
  }

  /** Returns the end of the rows of the names that are due at a time. */
  static Bytes dueEnd(long ticks) {
    return dueRow(ticks + 1, "");
  }

  /** Returns the key of the soft-deleted name in the row of its removal. */
  static String dueKey(byte[] row) {
    int head = 1 + Long.BYTES;
    return new String(row, head, row.length - head, StandardCharsets.UTF_8);
  }

  static byte[] encode(DeletedName deleted) {
    byte[] row = encode(deleted.row());
    return ByteBuffer.allocate(1 + Long.BYTES + row.length)
        .put(DELETED_VERSION)
        .putLong(deleted.endTicks())
        .put(row)
        .array();
  }

  /** Reads a soft-deleted name, from the key that its row has after the letter. */
  static DeletedName decodeDeleted(String key, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    byte version = in.get();
    if (version != DELETED_VERSION) {
      throw new IllegalStateException("unknown format of a soft-deleted name: " + version);
    }
    long endTicks = in.getLong();
    CatalogRow row = decode(bytes(in, in.remaining()));
    return new DeletedName(row, DeletedName.ticks(key), endTicks);
  }

  /** Returns the key in the row of a soft-deleted name. */
  static String deletedKey(byte[] row) {
    return new String(row, 1, row.length - 1, StandardCharsets.UTF_8);
  }

  static Bytes row(String key) {
    return row(key, NAME_ROW);
  }

  static byte[] encode(CatalogRow row) {
    byte version = version(row);
    byte[] text = row.name().getBytes(StandardCharsets.UTF_8);
    int stampBytes = version == WITH_GATE ? 2 * Long.BYTES : version == WITH_STAMP ? Long.BYTES : 0;
    int lengthBytes = version >= WITH_METADATA ? Integer.BYTES : 0;
    int ownBytes = row.policies().length + row.metadata().length;
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_BYTES + text.length + stampBytes + lengthBytes + ownBytes);
    out.put(version).putLong(row.space()).putShort((short) text.length).put(text);
    if (version >= WITH_STAMP) {
      out.putLong(row.stamp());
    }
    if (version == WITH_GATE) {
      out.putLong(row.gate());
    }
    if (version >= WITH_METADATA) {
      out.putInt(row.policies().length);
    }
    return out.put(row.policies()).put(row.metadata()).array();
  }

  static CatalogRow decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    byte version = in.get();
    if (version < NAME_ONLY || version > WITH_GATE) {
      throw new IllegalStateException("unknown format of a catalogue row: " + version);
    }
    long space = in.getLong();
    String name = new String(bytes(in, in.getShort()), StandardCharsets.UTF_8);
    long stamp = version >= WITH_STAMP ? in.getLong() : 0;
    long gate = version == WITH_GATE ? in.getLong() : CatalogRow.firstGate(space);
    byte[] policies = bytes(in, version >= WITH_METADATA ? in.getInt() : in.remaining());
    return new CatalogRow(name, space, stamp, gate, policies, bytes(in, in.remaining()));
  }

  private static byte version(CatalogRow row) {
    if (row.gate() != CatalogRow.firstGate(row.space())) {
      return WITH_GATE;
    } else if (row.stamp() != 0) {
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
