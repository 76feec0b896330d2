package io.lazuli.storage.keys;

import io.lazuli.storage.Bytes;

/**
 * A stretch of encoded keys.
 *
 * @param from first key, inclusive
 * @param to first key behind the stretch
 */
public record KeyInterval(Bytes from, Bytes to) {
  /** Every key of a space. */
  public static KeyInterval ofSpace(long space) {
    return new KeyInterval(
        Bytes.of(KeyCodec.spaceStart(space)), Bytes.of(KeyCodec.spaceEnd(space)));
  }

  public boolean isEmpty() {
    return from.compareTo(to) >= 0;
  }

  /** What of this lies at or behind the key. */
  public KeyInterval from(Bytes key) {
    return key.compareTo(from) <= 0 ? this : new KeyInterval(key, to);
  }

  /** What of this lies before the key. */
  public KeyInterval before(Bytes key) {
    return key.compareTo(to) >= 0 ? this : new KeyInterval(from, key);
  }
}
