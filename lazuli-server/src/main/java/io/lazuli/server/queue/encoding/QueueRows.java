package io.lazuli.server.queue.encoding;

import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The keys of the rows of a queue, which are all in one partition (docs/formats.md). The keys of
 * the kinds {@code v} and {@code x} contain the insertion time and the id of the message, so no
 * such row is ever written twice.
 */
public final class QueueRows {
  /**
   * The number of rows among which the count is divided, so that producers do not all change the
   * same row.
   */
  public static final int COUNTERS = 16;

  private static final byte FENCE_KIND = 'f';
  private static final byte MESSAGE = 'm';
  private static final byte COUNT = 'n';
  private static final byte VISIBLE = 'v';
  private static final byte EXPIRING = 'x';

  private static final int ID_BYTES = 16;

  /**
   * The row that holds the {@link Fence} of a queue; only servers that share their data have it.
   */
  public static final Bytes FENCE = Bytes.of(new byte[] {FENCE_KIND});

  /** A position before all rows that hold messages; they end before {@link #FIRST_COUNT}. */
  public static final Bytes FIRST_MESSAGE = Bytes.of(new byte[] {MESSAGE});

  /** A position before all rows that record when a message becomes visible. */
  public static final Bytes FIRST_VISIBLE = Bytes.of(new byte[] {VISIBLE});

  /** A position before all rows that record when a message expires. */
  public static final Bytes FIRST_EXPIRING = Bytes.of(new byte[] {EXPIRING});

  /** The start of the rows that hold counts; they end before {@link #COUNTS_END}. */
  public static final Bytes FIRST_COUNT = Bytes.of(new byte[] {COUNT});

  public static final Bytes COUNTS_END = Bytes.of(new byte[] {COUNT + 1});

  private QueueRows() {}

  /** Returns the partition of a queue. */
  public static Partition partition(Space space) {
    return new Partition(space, Bytes.EMPTY);
  }

  /** Returns the row that holds a message. */
  public static Bytes message(UUID id) {
    return Bytes.of(put(ByteBuffer.allocate(1 + ID_BYTES).put(MESSAGE), id).array());
  }

  /** Returns the row that records when a message becomes visible. */
  public static Bytes visible(QueueMessage message) {
    ByteBuffer row = ByteBuffer.allocate(1 + 8 + 8 + ID_BYTES + 4).put(VISIBLE);
    row.putLong(message.visibleAt()).putLong(message.inserted());
    return Bytes.of(put(row, message.id()).putInt(message.change()).array());
  }

  /** Returns the end of the rows of messages that are visible now. */
  public static Bytes visibleEnd(long now) {
    return visibleFrom(now + 1);
  }

  /** Returns a position before the rows of messages that become visible at or after a time. */
  public static Bytes visibleFrom(long time) {
    return at(VISIBLE, time);
  }

  /** Returns the row that records when a message expires. */
  public static Bytes expiring(QueueMessage message) {
    ByteBuffer row = ByteBuffer.allocate(1 + 8 + 8 + ID_BYTES).put(EXPIRING);
    row.putLong(message.expires()).putLong(message.inserted());
    return Bytes.of(put(row, message.id()).array());
  }

  /** Returns the end of the rows of messages that have expired by now. */
  public static Bytes expiringEnd(long now) {
    return expiringFrom(now + 1);
  }

  /** Returns a position before the rows of messages that expire at or after a time. */
  public static Bytes expiringFrom(long time) {
    return at(EXPIRING, time);
  }

  /**
   * Returns the time in the key of a row of the kind {@code v} or {@code x}, or in a position among
   * them; 0 if the position has none.
   */
  public static long time(Bytes row) {
    return row.length() < 1 + Long.BYTES ? 0 : ByteBuffer.wrap(row.array()).getLong(1);
  }

  private static Bytes at(byte kind, long time) {
    return Bytes.of(ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(time).array());
  }

  /** Returns the row whose count includes a message; always the same for one message. */
  public static Bytes counter(UUID id) {
    return counter((int) (id.getLeastSignificantBits() & (COUNTERS - 1)));
  }

  /** Returns the row of the count with the given number. */
  public static Bytes counter(int number) {
    return Bytes.of(new byte[] {COUNT, (byte) number});
  }

  /** Returns the value of rows of the kinds {@code v} and {@code x}: the id of their message. */
  public static byte[] value(UUID id) {
    return put(ByteBuffer.allocate(ID_BYTES), id).array();
  }

  /** Returns the id in the value of a row of the kind {@code v} or {@code x}. */
  public static UUID id(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    return new UUID(in.getLong(), in.getLong());
  }

  private static ByteBuffer put(ByteBuffer row, UUID id) {
    return row.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }
}
