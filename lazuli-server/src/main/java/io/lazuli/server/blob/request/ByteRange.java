package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.error.ServiceError;
import org.jspecify.annotations.Nullable;

/**
 * A part of a blob (blob-rest 10.2).
 *
 * @param from the offset of the first byte
 * @param to the offset of the last byte; {@link Long#MAX_VALUE} for the end of the blob
 */
public record ByteRange(long from, long to) {
  private static final String UNIT = "bytes=";

  /**
   * Parses {@code bytes=a-b} or {@code bytes=a-}.
   *
   * @return null if there is no header, or if the header has another form: a range that cannot be
   *     parsed is ignored. The Java SDK sends {@code bytes=0--1} and relies on this.
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

  /**
   * Parses the range of a request. {@code x-ms-range} takes precedence, even if it cannot be
   * parsed.
   */
  public static @Nullable ByteRange parse(@Nullable String msRange, @Nullable String range) {
    return parse(msRange == null ? range : msRange);
  }

  /**
   * Returns this range, cut off at the end of a blob of the given size. Returns null if the range
   * begins after the end; the response is then 416.
   */
  public @Nullable ByteRange within(long size) {
    return from < size ? new ByteRange(from, Math.min(to, size - 1)) : null;
  }

  /** Returns the number of bytes. The range must have an end. */
  public long length() {
    return to - from + 1;
  }

  /** Returns the value of {@code Content-Range}. */
  public String contentRange(long size) {
    return "bytes " + from + "-" + to + "/" + size;
  }

  /** Returns the value of {@code Content-Range} in a response with status 416. */
  public static String unsatisfiedContentRange(long size) {
    return "bytes */" + size;
  }

  /**
   * Returns the error for a request whose checksum cannot be computed; null if it can be computed,
   * or if the request asks for none.
   *
   * @param answered the range that the response contains; null for the whole blob
   * @param tooLarge the error to return if the request has no range, or if its range is too large
   */
  public static @Nullable ServiceError checksumRefusal(
      boolean md5Asked, boolean crc64Asked, @Nullable ByteRange answered, ServiceError tooLarge) {
    if (md5Asked && crc64Asked) {
      return BlobErrors.BOTH_RANGE_CHECKSUMS;
    }
    boolean possible = answered != null && answered.length() <= BlobLimits.RANGE_CHECKSUM_BYTES_MAX;
    return (md5Asked || crc64Asked) && !possible ? tooLarge : null;
  }

  /**
   * Parses a number. Returns {@link Long#MAX_VALUE} if it is too large and -1 if it is not a
   * number.
   */
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
