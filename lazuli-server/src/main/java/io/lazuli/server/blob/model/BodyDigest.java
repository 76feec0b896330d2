package io.lazuli.server.blob.model;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Both checksums of a body while it passes by. Mutable, used by one thread, finished once. */
public final class BodyDigest {
  private final MessageDigest md5 = newMd5();
  private final Crc64 crc64 = new Crc64();

  public void update(byte[] bytes, int offset, int length) {
    md5.update(bytes, offset, length);
    crc64.update(bytes, offset, length);
  }

  /** The checksums of all that passed by. */
  public Checksums finish() {
    return new Checksums(Base64.getEncoder().encodeToString(md5.digest()), crc64.text());
  }

  private static MessageDigest newMd5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
