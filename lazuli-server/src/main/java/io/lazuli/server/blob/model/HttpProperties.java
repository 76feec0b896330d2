package io.lazuli.server.blob.model;

import org.jspecify.annotations.Nullable;

/**
 * The properties of a blob that reads return as HTTP headers; null for a property that is not set.
 *
 * @param contentMd5 the MD5 of the whole content in Base64, as its writer gave it
 */
public record HttpProperties(
    @Nullable String contentType,
    @Nullable String contentEncoding,
    @Nullable String contentLanguage,
    @Nullable String contentDisposition,
    @Nullable String cacheControl,
    @Nullable String contentMd5) {
  public static final HttpProperties NONE = new HttpProperties(null, null, null, null, null, null);

  /** The properties of a new blob for which none are given; Set Blob Properties may clear them. */
  public static final HttpProperties DEFAULT =
      new HttpProperties("application/octet-stream", null, null, null, null, null);

  /** Returns these properties; those that are not set are taken from the others. */
  public HttpProperties or(HttpProperties others) {
    return new HttpProperties(
        first(contentType, others.contentType),
        first(contentEncoding, others.contentEncoding),
        first(contentLanguage, others.contentLanguage),
        first(contentDisposition, others.contentDisposition),
        first(cacheControl, others.cacheControl),
        first(contentMd5, others.contentMd5));
  }

  private static @Nullable String first(@Nullable String own, @Nullable String other) {
    return own == null ? other : own;
  }

  public HttpProperties withContentMd5(@Nullable String md5) {
    return new HttpProperties(
        contentType, contentEncoding, contentLanguage, contentDisposition, cacheControl, md5);
  }
}
