package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The checksums that a request gave for its body (blob-rest 6); null for one that it did not give.
 *
 * @param answersBoth true if the answer has the CRC64 too when the request gave the MD5
 */
public record ExpectedChecksums(@Nullable String md5, @Nullable String crc64, boolean answersBoth) {
  /** The checksums of a request that gave none. */
  public static final ExpectedChecksums NONE = new ExpectedChecksums(null, null);

  public ExpectedChecksums(@Nullable String md5, @Nullable String crc64) {
    this(md5, crc64, false);
  }

  private static final String CRC64 = "x-ms-content-crc64";
  private static final int MD5_BYTES = 16;

  /**
   * Parses {@code Content-MD5} and {@code x-ms-content-crc64}; throws 400 if they are malformed.
   */
  public static ExpectedChecksums parse(@Nullable String md5, @Nullable String crc64) {
    if (md5 != null && crc64 != null) {
      throw BlobErrors.BOTH_CHECKSUMS.exception();
    }
    if (crc64 != null && !isBase64(crc64.strip(), Long.BYTES)) {
      throw CommonErrors.INVALID_HEADER_VALUE
          .exception()
          .with("HeaderName", CRC64)
          .with("HeaderValue", crc64);
    }
    return new ExpectedChecksums(
        md5 == null ? null : requireMd5(md5), crc64 == null ? null : crc64.strip());
  }

  /** Returns the MD5 if it is well-formed; throws 400 if it is not. */
  public static String requireMd5(String text) {
    String md5 = text.strip();
    if (!isBase64(md5, MD5_BYTES)) {
      throw BlobErrors.INVALID_MD5.exception();
    }
    return md5;
  }

  /** Returns the error if the checksums of the body differ from these; null if they are equal. */
  public @Nullable ServiceException refusal(Checksums found) {
    if (md5 != null && !md5.equals(found.requireMd5())) {
      return BlobErrors.MD5_MISMATCH
          .exception()
          .with("UserSpecifiedMd5", md5)
          .with("ServerCalculatedMd5", found.requireMd5());
    }
    if (crc64 != null && !crc64.equals(found.requireCrc64())) {
      return BlobErrors.CRC64_MISMATCH
          .exception()
          .with("UserSpecifiedCrc", crc64)
          .with("ServerCalculatedCrc", found.requireCrc64());
    }
    return null;
  }

  /** Returns the same checksums for a request whose answer has both if it gave the MD5. */
  public ExpectedChecksums answeringBoth(boolean both) {
    return new ExpectedChecksums(md5, crc64, both);
  }

  /** Returns those of the computed checksums that the answer has: the MD5 only if it was given. */
  public Checksums answered(Checksums computed) {
    if (md5 == null) {
      return new Checksums(null, computed.requireCrc64());
    }
    return new Checksums(computed.requireMd5(), answersBoth ? computed.requireCrc64() : null);
  }

  /** Returns true if the text is the Base64 of any bytes, with padding. */
  public static boolean isBase64(String text) {
    return decoded(text) != null;
  }

  private static boolean isBase64(String text, int bytes) {
    byte[] decoded = decoded(text);
    return decoded != null && decoded.length == bytes;
  }

  /** Returns null if the text is not what an encoder writes. */
  private static byte @Nullable [] decoded(String text) {
    try {
      byte[] decoded = Base64.getDecoder().decode(text);
      return Base64.getEncoder().encodeToString(decoded).equals(text) ? decoded : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
