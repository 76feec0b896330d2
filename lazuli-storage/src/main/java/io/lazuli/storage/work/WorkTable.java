package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of all servers as they were at one moment.
 *
 * @param losses how often servers ended without order, or forgot what they had noted
 */
record WorkTable(
    SortedMap<Long, Member> members, SortedMap<ShardKey, ShardState> shards, long losses) {
  static final Bytes LOSSES = Bytes.of(new byte[] {'l'});
  static final WorkTable EMPTY = new WorkTable(new TreeMap<>(), new TreeMap<>(), 0);

  static WorkTable of(Map<Bytes, byte[]> rows) {
    SortedMap<Long, Member> members = new TreeMap<>();
    SortedMap<ShardKey, ShardState> shards = new TreeMap<>();
    rows.forEach(
        (row, value) -> {
          if (Member.isMember(row)) {
            Member member = Member.decode(row, value);
            members.put(member.session(), member);
          } else if (ShardKey.isShard(row)) {
            shards.put(ShardKey.of(row), ShardState.decode(value));
          }
        });
    return new WorkTable(members, shards, losses(rows.get(LOSSES)));
  }

  static long losses(byte @Nullable [] value) {
    return value == null || value.length != Long.BYTES ? 0 : ByteBuffer.wrap(value).getLong();
  }

  static byte[] encodeLosses(long losses) {
    return ByteBuffer.allocate(Long.BYTES).putLong(losses).array();
  }
}
