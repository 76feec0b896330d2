package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.error.ServiceError;
import org.jspecify.annotations.Nullable;

/**
 * A part of a blob (blob-rest 10.2).
 *
 * @param from first byte
 * @param to last byte; {@link Long#MAX_VALUE} for the end of the blob
 */
public record ByteRange(long from, long to) {
  private static final String UNIT = "bytes=";

  /**
   * Reads {@code bytes=a-b} or {@code bytes=a-}.
   *
   * @return null for no header and for anything else: a range that is not understood is no range.
   *     The Java SDK sends {@code bytes=0--1} and counts on it.
   */
  public static @Nullable ByteRange parse(@Nullable String header) {
    if (header == null || !header.strip().startsWith(UNIT)) {
      return null;
    }
    String text = header.strip().substring(UNIT.length());
    int dash = text.indexOf('-');
    if (dash < 0) {
      return null;
    }
    long from = number(text.substring(0, dash));
    long to = dash == text.length() - 1 ? Long.MAX_VALUE : number(text.substring(dash + 1));
    return from < 0 || to < from ? null : new ByteRange(from, to);
  }

  /** The range that a request means: {@code x-ms-range} wins, also if it is not understood. */
  public static @Nullable ByteRange parse(@Nullable String msRange, @Nullable String range) {
    return parse(msRange == null ? range : msRange);
  }

  /** The part of it that a blob of that size has; null if it begins behind the end: 416. */
  public @Nullable ByteRange within(long size) {
    return from < size ? new ByteRange(from, Math.min(to, size - 1)) : null;
  }

  /** How many bytes; only of a range that ends. */
  public long length() {
    return to - from + 1;
  }

  /** The value of {@code Content-Range}. */
  public String contentRange(long size) {
    return "bytes " + from + "-" + to + "/" + size;
  }

  /** The value of {@code Content-Range} of the answer 416. */
  public static String unsatisfiedContentRange(long size) {
    return "bytes */" + size;
  }

  /**
   * Why a checksum of the answer cannot be given; null if none was asked for or it can.
   *
   * @param answered the part that is answered; null for the whole blob
   * @param tooLarge what to answer if no range, or too large a one, was asked for
   */
  public static @Nullable ServiceError checksumRefusal(
      boolean md5Asked, boolean crc64Asked, @Nullable ByteRange answered, ServiceError tooLarge) {
    if (md5Asked && crc64Asked) {
      return BlobErrors.BOTH_RANGE_CHECKSUMS;
    }
    boolean possible = answered != null && answered.length() <= BlobLimits.RANGE_CHECKSUM_BYTES_MAX;
    return (md5Asked || crc64Asked) && !possible ? tooLarge : null;
  }

  /** The number, the largest there is if it is larger, or -1. */
  private static long number(String digits) {
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
