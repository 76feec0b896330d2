package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.call.StoredCell;
import java.nio.ByteBuffer;

/** The rows in the catalogue that belong to the engine. They begin with a zero byte. */
public final class OwnRows {
  /** A partition that no service uses, for rows about the whole store. */
  public static final Partition STORE = new Partition(Space.CATALOGUE, Bytes.EMPTY);

  /** In {@link #STORE}: the first number that no server has reserved. */
  public static final Bytes NUMBERS = Bytes.of(new byte[] {0, 'n'});

  /**
   * In {@link #STORE}: a time at or above every time that a server gave before an orderly shutdown.
   */
  public static final Bytes TIME = Bytes.of(new byte[] {0, 't'});

  /** In {@link #STORE}: the server that is the leader. */
  public static final Bytes LEADER = Bytes.of(new byte[] {0, 'l'});

  /** In {@link #STORE}: the journal of the balancer. */
  public static final Bytes BALANCE = Bytes.of(new byte[] {0, 'b'});

  /** In {@link #STORE}: the length of the longest lease that a server takes, in milliseconds. */
  static final Bytes LONGEST_LEASE = Bytes.of(new byte[] {0, 'm'});

  /** In {@link #STORE}: the cut that a server makes or copies. */
  static final Bytes CUT = Bytes.of(new byte[] {0, 's'});

  /** In {@link #STORE}: a name of the store, which the first cut gives it. */
  public static final Bytes NAME = Bytes.of(new byte[] {0, 'i'});

  /** In {@link #STORE}: the name of the store's folder of chunks, if it has one. */
  public static final Bytes FILES = Bytes.of(new byte[] {0, 'f'});

  /** In {@link #STORE}: exists while a restore is not complete. */
  public static final Bytes RESTORING = Bytes.of(new byte[] {0, 'r'});

  /** In every home: its record, with the epoch that every drop raises. */
  static final Bytes HOME = Bytes.of(new byte[] {0, 'e'});

  /** In {@link #STORE}: the second byte of the rows in which servers report their requests. */
  public static final byte HEAT = 'h';

  /** In every home: the second byte of the rows that record drops. */
  public static final byte DROPPED = 'd';

  private OwnRows() {}

  /** Returns the row, in the home of a space, that records its drop. */
  public static Bytes dropped(long space) {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES).put((byte) 0).put(DROPPED).putLong(space).array());
  }

  /** Returns the row, in {@link #STORE}, that reports the partitions which a server requests. */
  public static Bytes heat(long server) {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES).put((byte) 0).put(HEAT).putLong(server).array());
  }

  public static boolean isDropped(Bytes row) {
    return row.length() == 2 + Long.BYTES && row.array()[0] == 0 && row.array()[1] == DROPPED;
  }

  /** Returns the space whose drop a row records. */
  public static long droppedSpace(Bytes row) {
    return ByteBuffer.wrap(row.array()).getLong(2);
  }

  public static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Returns the number in a row; 0 if there is no record. */
  public static long decode(StoredCell cell) {
    byte[] value = cell.value();
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }
}
