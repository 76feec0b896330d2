package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A server that does background work, for the time of one session.
 *
 * @param count raised by each renewal
 * @param label a name for operators
 * @param walks the walks that the server can do
 */
record Member(long session, long count, String label, Set<String> walks) {
  private static final char KIND = 'm';
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  static Bytes row(long session) {
    return Bytes.of(ByteBuffer.allocate(1 + Long.BYTES).put((byte) KIND).putLong(session).array());
  }

  static boolean isMember(Bytes row) {
    return row.length() == 1 + Long.BYTES && row.array()[0] == KIND;
  }

  static Member decode(Bytes row, byte[] value) {
    long session = ByteBuffer.wrap(row.array()).getLong(1);
    if (value.length < HEAD_BYTES || value[0] != VERSION) {
      return new Member(session, 0, "?", Set.of());
    }
    String text = new String(value, HEAD_BYTES, value.length - HEAD_BYTES, StandardCharsets.UTF_8);
    List<String> lines = List.of(text.split("\n", -1));
    return new Member(
        session,
        ByteBuffer.wrap(value).getLong(1),
        lines.get(0),
        new TreeSet<>(lines.subList(1, lines.size())));
  }

  /** Returns the number of renewals in a row. */
  static long count(byte[] value) {
    return value.length < HEAD_BYTES ? 0 : ByteBuffer.wrap(value).getLong(1);
  }

  byte[] encode() {
    StringBuilder text = new StringBuilder(label);
    walks.forEach(walk -> text.append('\n').append(walk));
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(HEAD_BYTES + bytes.length)
        .put(VERSION)
        .putLong(count)
        .put(bytes)
        .array();
  }
}
