package io.lazuli.conformance.blob.rest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Computes the checksums of bodies in the form of the headers, bit by bit (blob-rest 6). */
final class Checksums {

  private static final long POLYNOMIAL = 0x9A6C9329AC4BC9B5L;

  private Checksums() {}

  static String md5(String text) {
    return md5(text.getBytes(StandardCharsets.UTF_8));
  }

  static String md5(byte[] bytes) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String crc64(String text) {
    return crc64(text.getBytes(StandardCharsets.UTF_8));
  }

  static String crc64(byte[] bytes) {
    long crc = -1;
    for (byte b : bytes) {
      crc ^= b & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
      }
    }
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return Base64.getEncoder().encodeToString(buffer.putLong(~crc).array());
  }
}
