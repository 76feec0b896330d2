package io.lazuli.storage.rocksdb.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A write batch in the log. It begins with the sequence number of its first change (8 bytes) and
 * the number of its changes (4 bytes), little-endian. Each change has the next sequence number, and
 * the next batch continues after the last.
 *
 * @param offset where it begins in its log
 * @param end where the next batch begins
 * @param sequence the sequence number of its first change
 * @param next the sequence number of the first change after it; the same if it has no changes
 */
record Batch(long offset, long end, long sequence, long next) {
  /** The number of bytes of a batch before its changes. */
  static final int HEADER_BYTES = 12;

  /** Returns the batch in a record; null if the record is too short for one. */
  static @Nullable Batch in(RecordReader.Found record) {
    if (record.head().length < HEADER_BYTES) {
      return null;
    }
    ByteBuffer head = ByteBuffer.wrap(record.head()).order(ByteOrder.LITTLE_ENDIAN);
    long sequence = head.getLong();
    return new Batch(
        record.offset(), record.end(), sequence, sequence + Integer.toUnsignedLong(head.getInt()));
  }
}
