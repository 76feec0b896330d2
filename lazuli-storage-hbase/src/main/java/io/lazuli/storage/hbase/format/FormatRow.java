package io.lazuli.storage.hbase.format;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row that has the format of the store, and a member for each server that uses the store. Every
 * version reads the number, because it comes first. Members are read only if the number is known.
 *
 * @param number the format of the store
 */
record FormatRow(int number, List<Member> members) {
  /** Stores that have no row were written by versions that read this format. */
  static final FormatRow OF_OLD_STORE = new FormatRow(2, List.of());

  /**
   * A server that uses the store.
   *
   * @param id chosen at random when the server starts
   * @param allowed the format that the server lets the store have
   * @param leaseSeconds how long the server uses the store after a renewal
   * @param count raised by each renewal
   */
  record Member(long id, int allowed, int leaseSeconds, long count) {
    private static final int BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

    Member renewed() {
      return new Member(id, allowed, leaseSeconds, count + 1);
    }
  }

  FormatRow {
    members = List.copyOf(members);
  }

  /** Returns the number in a value. */
  static int number(byte @Nullable [] value) {
    return value == null ? OF_OLD_STORE.number : ByteBuffer.wrap(value).getInt();
  }

  static FormatRow decode(byte @Nullable [] value) {
    if (value == null) {
      return OF_OLD_STORE;
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    int number = in.getInt();
    List<Member> members = new ArrayList<>();
    while (in.remaining() >= Member.BYTES) {
      members.add(new Member(in.getLong(), in.getInt(), in.getInt(), in.getLong()));
    }
    return new FormatRow(number, members);
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + members.size() * Member.BYTES);
    out.putInt(number);
    members.forEach(
        each ->
            out.putLong(each.id)
                .putInt(each.allowed)
                .putInt(each.leaseSeconds)
                .putLong(each.count));
    return out.array();
  }

  /**
   * Returns the row after a member has renewed. The number rises to what all members allow.
   *
   * @param gone members whose leases have ended
   */
  FormatRow renewed(Member mine, Collection<Member> gone) {
    List<Member> rest = new ArrayList<>(without(mine.id).members);
    rest.removeAll(gone);
    rest.add(mine);
    int allowed = rest.stream().mapToInt(Member::allowed).min().orElse(number);
    return new FormatRow(Math.max(number, allowed), rest);
  }

  /** Returns the row without a member. */
  FormatRow without(long id) {
    return new FormatRow(number, members.stream().filter(each -> each.id != id).toList());
  }
}
