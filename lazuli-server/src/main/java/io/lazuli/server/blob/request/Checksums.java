package io.lazuli.server.blob.request;

import org.jspecify.annotations.Nullable;

/** The checksums of a body, as the wire has them. Null is one that nobody asked for. */
public record Checksums(@Nullable String md5, @Nullable String crc64) {

  /** The MD5, which was asked for. */
  public String requireMd5() {
    return required(md5);
  }

  /** The CRC64, which was asked for. */
  public String requireCrc64() {
    return required(crc64);
  }

  private static String required(@Nullable String made) {
    if (made == null) {
      throw new IllegalStateException("this checksum was not made");
    }
    return made;
  }
}
