package io.lazuli.server.blob.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.zip.Checksum;

/**
 * CRC-64/NVME, the checksum of {@code x-ms-content-crc64} (blob-rest 6). Mutable, used by one
 * thread.
 *
 * <p>Processes eight bytes at a time, with one table for each of the eight positions. Each word
 * needs the result of the word before. A long input is therefore processed as two interleaved
 * pieces, which takes half the time. To combine the results, the first one is extended as if zeros
 * followed its piece.
 */
public final class Crc64 implements Checksum {
  /** The polynomial with its bits in reverse order. */
  private static final long POLYNOMIAL = 0x9A6C9329AC4BC9B5L;

  private static final int PIECE_BYTES = 4 << 10;

  /**
   * The contribution of each byte of a word to the checksum, for each position and each value of
   * the byte.
   */
  private static final long[] WORD = table(0);

  /** The same contributions if the rest of a piece follows as zeros. */
  private static final long[] PIECE = table(PIECE_BYTES - Long.BYTES);

  /** The index at which the table of a word's last byte begins. */
  private static final int LAST = 7 << 8;

  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long inverted = -1;

  @Override
  public void update(int b) {
    inverted = WORD[LAST + ((int) (inverted ^ b) & 0xff)] ^ inverted >>> 8;
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    for (; end - at >= 2 * PIECE_BYTES; at += 2 * PIECE_BYTES) {
      updateByPieces(bytes, at);
    }
    long crc = inverted;
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      crc = passed(WORD, crc ^ (long) LITTLE_ENDIAN.get(bytes, at));
    }
    inverted = crc;
    for (; at < end; at++) {
      update(bytes[at]);
    }
  }

  private void updateByPieces(byte[] bytes, int from) {
    long first = inverted;
    long second = 0;
    for (int at = from; at < from + PIECE_BYTES; at += Long.BYTES) {
      first = passed(WORD, first ^ (long) LITTLE_ENDIAN.get(bytes, at));
      second = passed(WORD, second ^ (long) LITTLE_ENDIAN.get(bytes, at + PIECE_BYTES));
    }
    inverted = passed(PIECE, first) ^ second;
  }

  private static long passed(long[] table, long word) {
    return table[(int) word & 0xff]
        ^ table[(1 << 8) + ((int) (word >>> 8) & 0xff)]
        ^ table[(2 << 8) + ((int) (word >>> 16) & 0xff)]
        ^ table[(3 << 8) + ((int) (word >>> 24) & 0xff)]
        ^ table[(4 << 8) + ((int) (word >>> 32) & 0xff)]
        ^ table[(5 << 8) + ((int) (word >>> 40) & 0xff)]
        ^ table[(6 << 8) + ((int) (word >>> 48) & 0xff)]
        ^ table[LAST + (int) (word >>> 56)];
  }

  @Override
  public long getValue() {
    return ~inverted;
  }

  @Override
  public void reset() {
    inverted = -1;
  }

  /** Returns the checksum as the protocol writes it: eight bytes, the lowest first, in Base64. */
  public String text() {
    byte[] bytes = new byte[Long.BYTES];
    LITTLE_ENDIAN.set(bytes, 0, getValue());
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * Computes the contribution of every byte.
   *
   * @param zeros the number of zero bytes that follow the word
   */
  private static long[] table(int zeros) {
    long[] bytes = new long[1 << 8];
    for (int i = 0; i < bytes.length; i++) {
      long crc = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
      }
      bytes[i] = crc;
    }
    long[] table = new long[Long.BYTES << 8];
    for (int i = 0; i < bytes.length; i++) {
      long crc = bytes[i];
      for (int behind = 0; behind < zeros + Long.BYTES; behind++) {
        if (behind >= zeros) {
          table[LAST - ((behind - zeros) << 8) + i] = crc;
        }
        crc = bytes[(int) crc & 0xff] ^ crc >>> 8;
      }
    }
    return table;
  }
}
