package io.lazuli.server.queue.service;

import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.check.Place;
import io.lazuli.server.check.SpaceCheck;
import io.lazuli.server.error.Futures;
import io.lazuli.server.queue.encoding.CountCodec;
import io.lazuli.server.queue.encoding.Fence;
import io.lazuli.server.queue.encoding.MessageCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every message of a queue has the rows that lead to it, that every such row has its
 * message, and that the counts are right.
 *
 * <p>All rows of a message change together, and its change number only rises. So if a row is seen,
 * then a message that does not belong to it, and then the same row again, the row is a stray. And
 * if a message is the same before and after its row was missed, the row is missing.
 */
public final class QueueCheck implements SpaceCheck {
  private static final int ID_BYTES = 16;

  private final StorageEngine engine;
  private final Place place;
  private final Partition queue;
  private final Consumer<Finding> found;
  private boolean incomplete;

  public QueueCheck(StorageEngine engine, Place place, Space space, Consumer<Finding> found) {
    this.engine = engine;
    this.place = place;
    this.queue = QueueRows.partition(space);
    this.found = found;
  }

  @Override
  public void record(Bytes partition, Bytes row, byte[] value) {
    try {
      char kind = row.length() == 0 ? ' ' : (char) row.array()[0];
      switch (kind) {
        case 'm' -> checkMessage(row, value);
        case 'v' -> checkIndexRow(row, value, 1 + 8 + 8, 4);
        case 'x' -> checkIndexRow(row, value, 1 + 8 + 8, 0);
        case 'n' -> {
          long unused = CountCodec.decode(value);
        }
        case 'f' -> {
          Fence unused = Fence.decode(value);
        }
        default -> remove(row, "the row is of an unknown kind");
      }
    } catch (IllegalStateException | IndexOutOfBoundsException | BufferUnderflowException e) {
      incomplete = true;
      remove(row, "the row cannot be read: " + e.getMessage());
    }
  }

  @Override
  public void damaged(Position from, @Nullable Position to) {
    incomplete = true;
  }

  /**
   * Counts the messages in one scan, which shows one moment. Only the sum of the counts has to be
   * right, because servers that share a queue choose which one they change.
   */
  @Override
  public void end() {
    if (incomplete || engine.isShared()) {
      return;
    }
    long[] messages = new long[1];
    long[] counts = new long[QueueRows.COUNTERS];
    Futures.await(
        engine.scan(
            queue.space(),
            List.of(
                new KeyRange(
                    new Position(Bytes.EMPTY, QueueRows.FIRST_MESSAGE),
                    new Position(Bytes.EMPTY, QueueRows.COUNTS_END))),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              byte[] row = record.row().copy();
              if (row[0] == 'm') {
                messages[0]++;
              } else {
                counts[row[row.length - 1] & (QueueRows.COUNTERS - 1)] =
                    CountCodec.decode(record.value().copy());
              }
              return Visit.CONTINUE;
            }));
    long sum = Arrays.stream(counts).sum();
    if (messages[0] != sum) {
      found.accept(
          new Finding(
              place,
              "count",
              "there are %d messages, and the sum of the counts is %d".formatted(messages[0], sum),
              Fix.put(
                  queue, QueueRows.counter(0), CountCodec.encode(counts[0] + messages[0] - sum))));
    }
  }

  @Override
  public Position restart() {
    return Position.START;
  }

  /** Returns the key of a row as operators know it: the id of its message. */
  public static String key(Position at) {
    byte[] row = at.row().array();
    return row.length == 1 + ID_BYTES && row[0] == 'm'
        ? "message " + id(row, 1)
        : "row " + HexFormat.of().formatHex(row);
  }

  private void checkMessage(Bytes row, byte[] value) {
    UUID id = id(row.array(), 1);
    QueueMessage message = MessageCodec.decode(id, value);
    requireRow(row, value, message, QueueRows.visible(message), "visibility");
    if (message.expires() != QueueMessage.NEVER) {
      requireRow(row, value, message, QueueRows.expiring(message), "expiry");
    }
  }

  private void requireRow(
      Bytes row, byte[] value, QueueMessage message, Bytes needed, String what) {
    byte[] expected = QueueRows.value(message.id());
    if (!Arrays.equals(read(needed), expected) && Arrays.equals(read(row), value)) {
      found.accept(
          new Finding(
              place,
              "message " + message.id(),
              "the row for its " + what + " is missing",
              Fix.put(queue, needed, expected)));
    }
  }

  /** Checks a row that leads to a message: its key contains the id. */
  private void checkIndexRow(Bytes row, byte[] value, int idAt, int restBytes) {
    if (row.length() != idAt + ID_BYTES + restBytes || value.length != ID_BYTES) {
      remove(row, "the row has the wrong length");
      return;
    }
    UUID id = id(row.array(), idAt);
    byte[] stored = read(QueueRows.message(id));
    QueueMessage message = stored == null ? null : MessageCodec.decode(id, stored);
    if (!belongsTo(row, message) && read(row) != null) {
      remove(row, "the row leads to message " + id + ", which does not have it");
    }
  }

  private static boolean belongsTo(Bytes row, @Nullable QueueMessage message) {
    return message != null
        && (row.equals(QueueRows.visible(message))
            || (message.expires() != QueueMessage.NEVER
                && row.equals(QueueRows.expiring(message))));
  }

  private void remove(Bytes row, String problem) {
    Position at = new Position(Bytes.EMPTY, row);
    found.accept(new Finding(place, key(at), problem, Fix.remove(queue.row(row))));
  }

  /** Reads a row. A damaged one was or will be reported by the scan; here it counts as absent. */
  private byte @Nullable [] read(Bytes row) {
    try {
      return Futures.await(engine.read(queue.row(row), Deadline.NEVER));
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.CORRUPT) {
        throw e;
      }
      return null;
    }
  }

  private static UUID id(byte[] row, int at) {
    ByteBuffer in = ByteBuffer.wrap(row, at, ID_BYTES);
    return new UUID(in.getLong(), in.getLong());
  }
}
