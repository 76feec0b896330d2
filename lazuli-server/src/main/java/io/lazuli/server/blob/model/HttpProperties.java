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

  /** The content type of a new blob for which none was given; Set Blob Properties may clear it. */
  public static final String DEFAULT_CONTENT_TYPE = "application/octet-stream";

  public HttpProperties withContentMd5(@Nullable String md5) {
    return new HttpProperties(
        contentType, contentEncoding, contentLanguage, contentDisposition, cacheControl, md5);
  }
}
