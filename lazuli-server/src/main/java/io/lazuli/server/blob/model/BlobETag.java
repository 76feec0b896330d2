package io.lazuli.server.blob.model;

import java.util.Locale;

/**
 * The ETag of a blob or container: the ticks of its last change in hexadecimal. The ticks of a row
 * never repeat, so neither does its tag. The protocol writes it with quotes, except in a listing of
 * blobs.
 */
public final class BlobETag {
  private BlobETag() {}

  /** Returns the tag without quotes: {@code 0x8DA6529DB030ECA}. */
  public static String text(long ticks) {
    return "0x" + Long.toHexString(ticks).toUpperCase(Locale.ROOT);
  }

  /** Returns the tag with quotes, as in headers. */
  public static String quoted(long ticks) {
    return '"' + text(ticks) + '"';
  }
}
