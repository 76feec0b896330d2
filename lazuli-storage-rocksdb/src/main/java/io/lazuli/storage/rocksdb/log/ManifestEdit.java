package io.lazuli.storage.rocksdb.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One change in RocksDB's manifest: a list of tags, each with a value. Values that say nothing
 * about logs are skipped. A field that the change does not set is 0.
 */
final class ManifestEdit {
  /** Tags with this bit have a length, so that a reader can skip a tag that it does not know. */
  private static final int SKIPPABLE = 1 << 13;

  private final ByteBuffer in;
  private long family;
  private long log;
  private long minLogToKeep;
  private long lastSequence;
  private long remainingInGroup;
  private boolean drops;

  private ManifestEdit(byte[] record) {
    this.in = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the change in a record; null if it has a tag that cannot be skipped. */
  static @Nullable ManifestEdit parse(byte[] record) {
    ManifestEdit edit = new ManifestEdit(record);
    try {
      while (edit.in.hasRemaining()) {
        if (!edit.readTag((int) edit.number())) {
          return null;
        }
      }
      return edit;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the column family of the change. */
  long family() {
    return family;
  }

  /** Returns the number of the first log that the family needs. */
  long log() {
    return log;
  }

  /** Returns the number of the first log that any family needs. */
  long minLogToKeep() {
    return minLogToKeep;
  }

  /** Returns the highest sequence number in the tables after the change. */
  long lastSequence() {
    return lastSequence;
  }

  /** Returns how many more changes take effect together with this one. */
  long remainingInGroup() {
    return remainingInGroup;
  }

  /** Returns true if the change removes the family. */
  boolean drops() {
    return drops;
  }

  private boolean readTag(int tag) {
    switch (tag) {
      case 1, 201 -> skipBytes(); // comparator, name of a new family
      case 2 -> log = number();
      case 3, 9, 203 -> number(); // next file, previous log, highest family
      case 4 -> lastSequence = number();
      case 5 -> { // a position of the compaction: level, key
        number();
        skipBytes();
      }
      case 6 -> skipNumbers(2); // a removed table: level, number
      case 10 -> minLogToKeep = number();
      case 103 -> skipTable();
      case 200 -> family = number();
      case 202 -> drops = true;
      case 300 -> remainingInGroup = number();
      default -> {
        if ((tag & SKIPPABLE) == 0) {
          return false;
        }
        skipBytes();
      }
    }
    return true;
  }

  /**
   * Skips a new table: level, number, size, smallest and largest key, smallest and largest
   * sequence, then fields with a tag and a length. Field 3 is the first log to keep.
   */
  private void skipTable() {
    skipNumbers(3);
    skipBytes();
    skipBytes();
    skipNumbers(2);
    for (long field = number(); field != 1; field = number()) {
      if (field == 3) {
        number();
        minLogToKeep = in.getLong();
      } else {
        skipBytes();
      }
    }
  }

  private void skipNumbers(int count) {
    for (int i = 0; i < count; i++) {
      number();
    }
  }

  private void skipBytes() {
    int length = (int) number();
    in.position(in.position() + length);
  }

  /** Reads a number of seven bits per byte, the lowest first. */
  private long number() {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      number |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }
}
