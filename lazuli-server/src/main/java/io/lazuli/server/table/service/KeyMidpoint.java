package io.lazuli.server.table.service;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import java.math.BigInteger;
import java.util.Arrays;

/** Guesses the key at a share of the way between two keys, as if keys were spread evenly. */
final class KeyMidpoint {
  /** The number of bytes that decide about the guess, after the common beginning. */
  private static final int DIGITS = 8;

  private static final int SCALE = 1 << 20;

  private KeyMidpoint() {}

  static Position between(Position first, Position last, double share) {
    return first.partition().equals(last.partition())
        ? new Position(first.partition(), between(first.row(), last.row(), share))
        : Position.startOf(between(first.partition(), last.partition(), share));
  }

  private static Bytes between(Bytes first, Bytes last, double share) {
    byte[] a = first.array();
    byte[] b = last.array();
    int same = Arrays.mismatch(a, b);
    if (same < 0) {
      return first;
    }
    BigInteger low = number(a, same);
    BigInteger high = number(b, same);
    BigInteger part =
        high.subtract(low)
            .multiply(BigInteger.valueOf(Math.round(share * SCALE)))
            .divide(BigInteger.valueOf(SCALE));
    byte[] digits = low.add(part).toByteArray();
    byte[] key = Arrays.copyOf(a, same + DIGITS);
    Arrays.fill(key, same, key.length, (byte) 0);
    int length = Math.min(DIGITS, digits.length);
    System.arraycopy(digits, digits.length - length, key, key.length - length, length);
    return Bytes.of(key);
  }

  private static BigInteger number(byte[] key, int from) {
    byte[] digits = new byte[DIGITS];
    int length = Math.max(0, Math.min(DIGITS, key.length - from));
    System.arraycopy(key, Math.min(from, key.length), digits, 0, length);
    return new BigInteger(1, digits);
  }
}
