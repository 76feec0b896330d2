package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A part of a walk that one server at a time does. */
record ShardKey(String walk, int shard) implements Comparable<ShardKey> {
  private static final char KIND = 's';

  /** Returns the row of the shard: its kind, the number of the shard, and the name of the walk. */
  Bytes row() {
    byte[] name = walk.getBytes(StandardCharsets.US_ASCII);
    byte[] row = Arrays.copyOf(new byte[] {KIND, (byte) shard}, 2 + name.length);
    System.arraycopy(name, 0, row, 2, name.length);
    return Bytes.of(row);
  }

  static boolean isShard(Bytes row) {
    return row.length() > 2 && row.array()[0] == KIND;
  }

  static ShardKey of(Bytes row) {
    byte[] bytes = row.array();
    return new ShardKey(
        new String(bytes, 2, bytes.length - 2, StandardCharsets.US_ASCII), bytes[1] & 0xff);
  }

  @Override
  public int compareTo(ShardKey other) {
    int byWalk = walk.compareTo(other.walk);
    return byWalk != 0 ? byWalk : Integer.compare(shard, other.shard);
  }
}
