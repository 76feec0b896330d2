package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The rows in the catalogue that belong to the engine. They begin with a zero byte. */
public final class OwnRows {
  /** A partition that no service uses, for rows about the whole store. */
  public static final Partition STORE = new Partition(Space.CATALOGUE, Bytes.EMPTY);

  /**
   * The partition in which servers report their requests. It is the last one of the catalogue, so
   * that a region of its own can begin with it.
   */
  public static final Partition REPORTS =
      new Partition(Space.CATALOGUE, Bytes.of(new byte[] {(byte) 0xff}));

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

  /** In {@link #STORE}: the boundaries of ranges that an operator made. */
  public static final Bytes KEPT = Bytes.of(new byte[] {0, 'o'});

  /** In {@link #STORE}: the length of the longest lease that a server takes, in milliseconds. */
  static final Bytes LONGEST_LEASE = Bytes.of(new byte[] {0, 'm'});

  /** In {@link #STORE}: the cut that a server makes or copies. */
  static final Bytes CUT = Bytes.of(new byte[] {0, 's'});

  /** In {@link #STORE}: a name of the store, which the first cut gives it. */
  public static final Bytes NAME = Bytes.of(new byte[] {0, 'i'});

  /** In {@link #STORE}: the name of the store's folder of chunks, if it has one. */
  public static final Bytes FILES = Bytes.of(new byte[] {0, 'f'});

  /** In {@link #STORE}: the format of the store, and the servers that use the store. */
  public static final Bytes FORMAT = Bytes.of(new byte[] {0, 'v'});

  /** In {@link #STORE}: exists while a restore is not complete. */
  public static final Bytes RESTORING = Bytes.of(new byte[] {0, 'r'});

  /** In every home: its record, with the epoch that every drop raises. */
  static final Bytes HOME = Bytes.of(new byte[] {0, 'e'});

  /**
   * In {@link #REPORTS}: the second byte of the rows in which servers report their requests. Older
   * servers wrote these rows into {@link #STORE}.
   */
  public static final byte HEAT = 'h';

  /** In every home: the second byte of the rows that record drops. */
  public static final byte DROPPED = 'd';

  private OwnRows() {}

  /** Returns the row, in the home of a space, that records its drop. */
  public static Bytes dropped(long space) {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES).put((byte) 0).put(DROPPED).putLong(space).array());
  }

  /** Returns the row, in {@link #REPORTS}, that reports the partitions which a server requests. */
  public static Bytes heat(long server) {
    return Bytes.of(
        ByteBuffer.allocate(2 + Long.BYTES).put((byte) 0).put(HEAT).putLong(server).array());
  }

  /** Returns the first key of the region that holds only {@link #REPORTS}. */
  public static Bytes reportsStart() {
    byte[] key = KeyCodec.encode(REPORTS.row(Bytes.EMPTY));
    return Bytes.of(Arrays.copyOf(key, key.length - 1));
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
