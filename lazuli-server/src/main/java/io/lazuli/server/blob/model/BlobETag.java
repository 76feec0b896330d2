package io.lazuli.server.blob.model;

import java.util.Locale;

/**
 * The tag of a blob or container: the ticks of its last change in hexadecimal. Ticks never repeat
 * for a row, so a tag never does. The wire shows it with quotes, except in a listing of blobs.
 */
public final class BlobETag {
  private BlobETag() {}

  /** Without quotes: {@code 0x8DA6529DB030ECA}. */
  public static String text(long ticks) {
    return "0x" + Long.toHexString(ticks).toUpperCase(Locale.ROOT);
  }

  /** With quotes, as headers have it. */
  public static String quoted(long ticks) {
    return '"' + text(ticks) + '"';
  }
}
