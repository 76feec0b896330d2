package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.call.StoredCell;
import java.nio.ByteBuffer;

/** The rows of the catalogue that are the engine's own: they begin with a zero byte. */
public final class OwnRows {
  /** A partition that no service has, for what concerns the whole store. */
  public static final Partition STORE = new Partition(Space.CATALOGUE, Bytes.EMPTY);

  /** In {@link #STORE}: the first number that no server has reserved. */
  public static final Bytes NUMBERS = Bytes.of(new byte[] {0, 'n'});

  /** In {@link #STORE}: at or above every time that was given by a server that was closed. */
  public static final Bytes TIME = Bytes.of(new byte[] {0, 't'});

  /** In {@link #STORE}: which server does what only one should. */
  public static final Bytes LEADER = Bytes.of(new byte[] {0, 'l'});

  /** In {@link #STORE}: what the balancer did lately. */
  public static final Bytes BALANCE = Bytes.of(new byte[] {0, 'b'});

  /** In every home: a number that rises with each drop. */
  static final Bytes EPOCH = Bytes.of(new byte[] {0, 'e'});

  /** In {@link #STORE}: the second byte of the rows in which servers tell what they ask for. */
  public static final byte HEAT = 'h';

  /** In every home: the second byte of the rows that record drops. */
  public static final byte DROPPED = 'd';

  private OwnRows() {}

  /** In the home of a space: that it was dropped, and when. */
  public static Bytes dropped(long space) {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES).put((byte) 0).put(DROPPED).putLong(space).array());
  }

  /** In {@link #STORE}: which partitions a server asks for. */
  public static Bytes heat(long server) {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES).put((byte) 0).put(HEAT).putLong(server).array());
  }

  public static boolean isDropped(Bytes row) {
    return row.length() == 2 + Long.BYTES && row.array()[0] == 0 && row.array()[1] == DROPPED;
  }

  /** The space whose drop a row records. */
  public static long droppedSpace(Bytes row) {
    return ByteBuffer.wrap(row.array()).getLong(2);
  }

  public static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** The number in a row; 0 if there is none. */
  public static long decode(StoredCell cell) {
    byte[] value = cell.value();
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }
}
