package io.lazuli.server.blob.request;

import org.jspecify.annotations.Nullable;

/**
 * The checksums of a body, as the protocol writes them; null for a checksum that nobody asked for.
 */
public record Checksums(@Nullable String md5, @Nullable String crc64) {

  /** Returns the MD5, which must have been asked for. */
  public String requireMd5() {
    return required(md5);
  }

  /** Returns the CRC64, which must have been asked for. */
  public String requireCrc64() {
    return required(crc64);
  }

  private static String required(@Nullable String made) {
    if (made == null) {
      throw new IllegalStateException("this checksum was not computed");
    }
    return made;
  }
}
