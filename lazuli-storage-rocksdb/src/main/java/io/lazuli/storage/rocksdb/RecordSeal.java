package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Detects damage to a record between the lane that writes it and the reader. Each stored value ends
 * with the four bytes of a CRC-32C over the encoded key and the value, so that a damaged value, or
 * a value under another key, is never taken for data. Mutable: belongs to one thread.
 */
final class RecordSeal {
  /** The number of bytes that a seal adds to a value. */
  static final int BYTES = 4;

  private final CRC32C crc = new CRC32C();

  /** Returns the value as it is stored. */
  byte[] seal(byte[] key, byte[] value) {
    byte[] sealed = Arrays.copyOf(value, value.length + BYTES);
    int sum = sum(key, key.length, value, value.length);
    for (int i = 0; i < BYTES; i++) {
      sealed[value.length + i] = (byte) (sum >>> (24 - 8 * i));
    }
    return sealed;
  }

  /**
   * Checks a sealed value.
   *
   * @param damage notes a value that does not pass
   * @return the length of the value in it
   * @throws StorageException with {@code CORRUPT} if the value is not the one that was written
   *     under this key
   */
  int check(byte[] key, int keyLength, byte[] sealed, int sealedLength, RecordDamage damage) {
    int length = sealedLength - BYTES;
    if (length < 0 || sum(key, keyLength, sealed, length) != trailer(sealed, length)) {
      throw damage.found("a stored record does not pass its checksum", null);
    }
    return length;
  }

  private int sum(byte[] key, int keyLength, byte[] value, int length) {
    crc.reset();
    crc.update(key, 0, keyLength);
    crc.update(value, 0, length);
    return (int) crc.getValue();
  }

  private static int trailer(byte[] sealed, int at) {
    return (sealed[at] & 0xff) << 24
        | (sealed[at + 1] & 0xff) << 16
        | (sealed[at + 2] & 0xff) << 8
        | (sealed[at + 3] & 0xff);
  }
}
