package io.lazuli.server.check;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import org.jspecify.annotations.Nullable;

/**
 * Checks the records of one space, which it receives one after another in the order of their keys.
 * Mutable, used by one thread, may block. Requests may change the space at the same time: the check
 * reports only what no request can have caused.
 */
public interface SpaceCheck {
  /** Checks one record. */
  void record(Bytes partition, Bytes row, byte[] value);

  /**
   * Receives a range of records that cannot be read, which was reported already.
   *
   * @param to the next record that can be read; null if there is none
   */
  void damaged(Position from, @Nullable Position to);

  /** Checks what can be known only after the last record. */
  void end();

  /** Returns the position at which a new check would have to begin to continue this one. */
  Position restart();
}
