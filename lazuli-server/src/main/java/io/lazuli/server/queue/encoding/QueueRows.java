package io.lazuli.server.queue.encoding;

import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The rows of a queue, all in one partition (docs/formats.md). The sequence of a message is the
 * time of its insertion followed by its id, so no row of the kinds {@code v} and {@code x} is ever
 * written twice.
 */
public final class QueueRows {
  /** How many rows share the count, so that producers do not all change the same one. */
  public static final int COUNTERS = 16;

  private static final byte MESSAGE = 'm';
  private static final byte COUNT = 'n';
  private static final byte VISIBLE = 'v';
  private static final byte EXPIRING = 'x';

  private static final int ID_BYTES = 16;

  /** Before the first row that says when a message is visible. */
  public static final Bytes FIRST_VISIBLE = Bytes.of(new byte[] {VISIBLE});

  /** Before the first row that says when a message expires. */
  public static final Bytes FIRST_EXPIRING = Bytes.of(new byte[] {EXPIRING});

  /** Before the first row that counts, and behind the last. */
  public static final Bytes FIRST_COUNT = Bytes.of(new byte[] {COUNT});

  public static final Bytes COUNTS_END = Bytes.of(new byte[] {COUNT + 1});

  private QueueRows() {}

  /** The partition of a queue. */
  public static Partition partition(Space space) {
    return new Partition(space, Bytes.EMPTY);
  }

  /** The row that holds a message. */
  public static Bytes message(UUID id) {
    return Bytes.of(put(ByteBuffer.allocate(1 + ID_BYTES).put(MESSAGE), id).array());
  }

  /** The row that stands where a message becomes visible. */
  public static Bytes visible(QueueMessage message) {
    ByteBuffer row = ByteBuffer.allocate(1 + 8 + 8 + ID_BYTES + 4).put(VISIBLE);
    row.putLong(message.visibleAt()).putLong(message.inserted());
    return Bytes.of(put(row, message.id()).putInt(message.change()).array());
  }

  /** Behind the last row that is visible now. */
  public static Bytes visibleEnd(long now) {
    return Bytes.of(ByteBuffer.allocate(1 + 8).put(VISIBLE).putLong(now + 1).array());
  }

  /** The row that stands where a message expires. */
  public static Bytes expiring(QueueMessage message) {
    ByteBuffer row = ByteBuffer.allocate(1 + 8 + 8 + ID_BYTES).put(EXPIRING);
    row.putLong(message.expires()).putLong(message.inserted());
    return Bytes.of(put(row, message.id()).array());
  }

  /** Behind the last row that has expired now. */
  public static Bytes expiringEnd(long now) {
    return Bytes.of(ByteBuffer.allocate(1 + 8).put(EXPIRING).putLong(now + 1).array());
  }

  /** The row that counts a message, always the same for one message. */
  public static Bytes counter(UUID id) {
    return counter((int) (id.getLeastSignificantBits() & (COUNTERS - 1)));
  }

  /** A row that counts. */
  public static Bytes counter(int number) {
    return Bytes.of(new byte[] {COUNT, (byte) number});
  }

  /** What rows of the kinds {@code v} and {@code x} hold: the id of their message. */
  public static byte[] value(UUID id) {
    return put(ByteBuffer.allocate(ID_BYTES), id).array();
  }

  /** The id in such a row. */
  public static UUID id(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    return new UUID(in.getLong(), in.getLong());
  }

  private static ByteBuffer put(ByteBuffer row, UUID id) {
    return row.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }
}
