package io.lazuli.server.blob.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.zip.Checksum;

/**
 * CRC-64/NVME, the checksum of {@code x-ms-content-crc64} (blob-rest 6). Mutable, used by one
 * thread. Eight bytes are taken at a time, with one table for each place among them.
 */
public final class Crc64 implements Checksum {
  /** The polynomial, bits in reverse order. */
  private static final long POLYNOMIAL = 0x9A6C9329AC4BC9B5L;

  private static final int SLICES = 8;
  private static final long[][] TABLES = tables();
  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long inverted = -1;

  @Override
  public void update(int b) {
    inverted = TABLES[0][(int) (inverted ^ b) & 0xff] ^ inverted >>> 8;
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    long crc = inverted;
    int at = offset;
    int end = offset + length;
    for (; at + SLICES <= end; at += SLICES) {
      long next = crc ^ (long) LITTLE_ENDIAN.get(bytes, at);
      crc =
          TABLES[7][(int) next & 0xff]
              ^ TABLES[6][(int) (next >>> 8) & 0xff]
              ^ TABLES[5][(int) (next >>> 16) & 0xff]
              ^ TABLES[4][(int) (next >>> 24) & 0xff]
              ^ TABLES[3][(int) (next >>> 32) & 0xff]
              ^ TABLES[2][(int) (next >>> 40) & 0xff]
              ^ TABLES[1][(int) (next >>> 48) & 0xff]
              ^ TABLES[0][(int) (next >>> 56)];
    }
    for (; at < end; at++) {
      crc = TABLES[0][(int) (crc ^ bytes[at]) & 0xff] ^ crc >>> 8;
    }
    inverted = crc;
  }

  @Override
  public long getValue() {
    return ~inverted;
  }

  @Override
  public void reset() {
    inverted = -1;
  }

  /** As the wire has it: eight bytes, the lowest first, in Base64. */
  public String text() {
    byte[] bytes = new byte[Long.BYTES];
    LITTLE_ENDIAN.set(bytes, 0, getValue());
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static long[][] tables() {
    long[][] tables = new long[SLICES][256];
    for (int i = 0; i < 256; i++) {
      long crc = i;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
      }
      tables[0][i] = crc;
    }
    for (int slice = 1; slice < SLICES; slice++) {
      for (int i = 0; i < 256; i++) {
        long crc = tables[slice - 1][i];
        tables[slice][i] = tables[0][(int) crc & 0xff] ^ crc >>> 8;
      }
    }
    return tables;
  }
}
