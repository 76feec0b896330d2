package io.lazuli.server.blob.request;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Computes the checksums of a body as it arrives. Computes only the checksums that are needed,
 * because they cost more than all other work on a byte. Mutable, used by one thread, finished once.
 */
public final class BodyDigest {
  private final @Nullable MessageDigest md5;
  private final @Nullable Crc64 crc64;

  private BodyDigest(@Nullable MessageDigest md5, @Nullable Crc64 crc64) {
    this.md5 = md5;
    this.crc64 = crc64;
  }

  /** Returns a digest without checksums, for the server's own bytes. */
  public static BodyDigest none() {
    return new BodyDigest(null, null);
  }

  public static BodyDigest both() {
    return new BodyDigest(newMd5(), new Crc64());
  }

  public static BodyDigest ofMd5() {
    return new BodyDigest(newMd5(), null);
  }

  public static BodyDigest ofCrc64() {
    return new BodyDigest(null, new Crc64());
  }

  /**
   * Returns the digest for the checksums that the response contains: the one that the request gave,
   * or the CRC64 if it gave none, or both if it gave the MD5 in a version that answers both.
   */
  public static BodyDigest answering(ExpectedChecksums expected) {
    if (expected.md5() == null) {
      return ofCrc64();
    }
    return expected.answersBoth() ? both() : ofMd5();
  }

  public void update(byte[] bytes, int offset, int length) {
    if (md5 != null) {
      md5.update(bytes, offset, length);
    }
    if (crc64 != null) {
      crc64.update(bytes, offset, length);
    }
  }

  /** Returns the checksums of all bytes. */
  public Checksums finish() {
    return new Checksums(
        md5 == null ? null : Base64.getEncoder().encodeToString(md5.digest()),
        crc64 == null ? null : crc64.text());
  }

  private static MessageDigest newMd5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
