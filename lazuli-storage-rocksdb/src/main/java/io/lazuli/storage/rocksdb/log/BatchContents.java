package io.lazuli.storage.rocksdb.log;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Reads the changes of a write batch in RocksDB's format: after the header, each change has a tag,
 * the number of its column family unless that is 0, and one or two texts with their lengths.
 */
public final class BatchContents {
  /** The time of a batch: this byte, then ticks. RocksDB stores such notes in its log only. */
  private static final byte TIME = 1;

  private static final int TIME_BYTES = 1 + Long.BYTES;

  private static final int DELETION = 0;
  private static final int VALUE = 1;
  private static final int NOTE = 3;
  private static final int FAMILY_DELETION = 4;
  private static final int FAMILY_VALUE = 5;
  private static final int NOTHING = 0xd;
  private static final int FAMILY_RANGE_DELETION = 0xe;
  private static final int RANGE_DELETION = 0xf;

  private BatchContents() {}

  /** Takes the records that a batch writes. */
  @FunctionalInterface
  public interface Puts {
    void put(int family, byte[] key, byte[] value) throws IOException;
  }

  /** Returns the note with the time of a batch. */
  public static byte[] timeNote(long ticks) {
    return ByteBuffer.allocate(TIME_BYTES).put(TIME).putLong(ticks).array();
  }

  /**
   * Reads a batch.
   *
   * @return its time in ticks, the highest if RocksDB has joined several batches; -1 if it has none
   * @throws IOException if the batch cannot be read
   */
  public static long read(byte[] batch, Puts puts) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(batch);
    long ticks = -1;
    try {
      in.position(Batch.HEADER_BYTES);
      while (in.hasRemaining()) {
        int tag = in.get();
        switch (tag) {
          case DELETION -> text(in);
          case VALUE -> puts.put(0, text(in), text(in));
          case NOTE -> ticks = Math.max(ticks, time(text(in)));
          case FAMILY_DELETION -> {
            number(in);
            text(in);
          }
          case FAMILY_VALUE -> puts.put(number(in), text(in), text(in));
          case NOTHING -> {}
          case RANGE_DELETION -> {
            text(in);
            text(in);
          }
          case FAMILY_RANGE_DELETION -> {
            number(in);
            text(in);
            text(in);
          }
          default -> throw new IOException("a batch of the log has an unknown change " + tag);
        }
      }
      return ticks;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new IOException("a batch of the log ends in the middle of a change", e);
    }
  }

  private static long time(byte[] note) {
    return note.length == TIME_BYTES && note[0] == TIME ? ByteBuffer.wrap(note).getLong(1) : -1;
  }

  private static byte[] text(ByteBuffer in) {
    int length = number(in);
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** Reads a number of up to 32 bits, seven bits in a byte, the lowest first. */
  private static int number(ByteBuffer in) {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new BufferUnderflowException();
  }
}
