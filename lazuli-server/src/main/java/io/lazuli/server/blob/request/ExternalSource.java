package io.lazuli.server.blob.request;

import org.jspecify.annotations.Nullable;

/**
 * The source of a copy on another server.
 *
 * @param url the URL as it was sent; it may contain a signature, so it must not be logged or shown
 * @param authorization the credentials for the source; null if there are none
 */
public record ExternalSource(String url, @Nullable String authorization) implements SourceAddress {
  /** Leaves the secrets out. */
  @Override
  public String toString() {
    return "a source on another server";
  }
}
