package io.lazuli.server.blob.model;

import org.jspecify.annotations.Nullable;

/**
 * The properties of a blob that reads give back as HTTP headers; null where one is not set.
 *
 * @param contentMd5 of the whole content, as its writer says; in Base64
 */
public record HttpProperties(
    @Nullable String contentType,
    @Nullable String contentEncoding,
    @Nullable String contentLanguage,
    @Nullable String contentDisposition,
    @Nullable String cacheControl,
    @Nullable String contentMd5) {
  public static final HttpProperties NONE = new HttpProperties(null, null, null, null, null, null);

  /** What a blob is if nobody says what it is. */
  public static final String DEFAULT_CONTENT_TYPE = "application/octet-stream";

  public HttpProperties withContentMd5(@Nullable String md5) {
    return new HttpProperties(
        contentType, contentEncoding, contentLanguage, contentDisposition, cacheControl, md5);
  }
}
