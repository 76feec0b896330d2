package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import org.jspecify.annotations.Nullable;

/** The access that a container grants to anonymous callers (blob-rest 7). */
public enum PublicAccess {
  NONE(""),
  BLOB("blob"),
  CONTAINER("container");

  private final String text;

  PublicAccess(String text) {
    this.text = text;
  }

  /** Returns the value of {@code x-ms-blob-public-access}; empty for none, which has no header. */
  public String text() {
    return text;
  }

  /** Parses the header, or throws 400. A missing header means none. */
  public static PublicAccess require(@Nullable String header) {
    if (header == null) {
      return NONE;
    }
    return switch (header) {
      case "blob" -> BLOB;
      case "container" -> CONTAINER;
      default ->
          throw CommonErrors.INVALID_HEADER_VALUE
              .exception()
              .with("HeaderName", "x-ms-blob-public-access")
              .with("HeaderValue", header);
    };
  }
}
