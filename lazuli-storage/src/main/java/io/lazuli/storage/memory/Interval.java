package io.lazuli.storage.memory;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.keys.KeyCodec;

/**
 * A stretch of encoded keys.
 *
 * @param from first key, inclusive
 * @param to first key behind the stretch
 */
record Interval(Bytes from, Bytes to) {
  /** Every key of a space. */
  static Interval ofSpace(long space) {
    return new Interval(Bytes.of(KeyCodec.spaceStart(space)), Bytes.of(KeyCodec.spaceEnd(space)));
  }

  boolean isEmpty() {
    return from.compareTo(to) >= 0;
  }

  /** What of this lies at or behind the key. */
  Interval from(Bytes key) {
    return key.compareTo(from) <= 0 ? this : new Interval(key, to);
  }

  /** What of this lies before the key. */
  Interval before(Bytes key) {
    return key.compareTo(to) >= 0 ? this : new Interval(from, key);
  }
}
