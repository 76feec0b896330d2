package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of all servers as they were at one moment.
 *
 * @param losses how often servers ended without order, or forgot what they had noted
 * @param notes the rows with notes that servers left when they ended
 */
record WorkTable(
    SortedMap<Long, Member> members,
    SortedMap<ShardKey, ShardState> shards,
    long losses,
    List<Bytes> notes) {
  static final Bytes LOSSES = Bytes.of(new byte[] {'l'});
  private static final char NOTES = 'n';
  static final WorkTable EMPTY = new WorkTable(new TreeMap<>(), new TreeMap<>(), 0, List.of());

  static WorkTable of(Map<Bytes, byte[]> rows) {
    SortedMap<Long, Member> members = new TreeMap<>();
    SortedMap<ShardKey, ShardState> shards = new TreeMap<>();
    List<Bytes> notes = new ArrayList<>();
    rows.forEach(
        (row, value) -> {
          if (Member.isMember(row)) {
            Member member = Member.decode(row, value);
            members.put(member.session(), member);
          } else if (ShardKey.isShard(row)) {
            shards.put(ShardKey.of(row), ShardState.decode(value));
          } else if (row.length() == 1 + Long.BYTES && row.array()[0] == NOTES) {
            notes.add(row);
          }
        });
    return new WorkTable(members, shards, losses(rows.get(LOSSES)), notes);
  }

  /** Returns the row of the notes that a session leaves. */
  static Bytes notesRow(long session) {
    return Bytes.of(ByteBuffer.allocate(1 + Long.BYTES).put((byte) NOTES).putLong(session).array());
  }

  static long losses(byte @Nullable [] value) {
    return value == null || value.length != Long.BYTES ? 0 : ByteBuffer.wrap(value).getLong();
  }

  static byte[] encodeLosses(long losses) {
    return ByteBuffer.allocate(Long.BYTES).putLong(losses).array();
  }
}
