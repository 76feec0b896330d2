package io.lazuli.storage.keys;

import io.lazuli.storage.Bytes;

/**
 * A range of encoded keys.
 *
 * @param from the first key, inclusive
 * @param to the first key after the range
 */
public record KeyInterval(Bytes from, Bytes to) {
  /** Returns the interval of all keys of a space. */
  public static KeyInterval ofSpace(long space) {
    return new KeyInterval(
        Bytes.of(KeyCodec.spaceStart(space)), Bytes.of(KeyCodec.spaceEnd(space)));
  }

  public boolean isEmpty() {
    return from.compareTo(to) >= 0;
  }

  /** Returns the part of this interval at or after the key. */
  public KeyInterval from(Bytes key) {
    return key.compareTo(from) <= 0 ? this : new KeyInterval(key, to);
  }

  /** Returns the part of this interval before the key. */
  public KeyInterval before(Bytes key) {
    return key.compareTo(to) >= 0 ? this : new KeyInterval(from, key);
  }
}
