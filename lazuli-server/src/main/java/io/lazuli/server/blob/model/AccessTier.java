package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;

/** How often a block blob is read, by its owner's word; kept as a label (blob-rest 10.10). */
public enum AccessTier {
  HOT("Hot"),
  COOL("Cool"),
  COLD("Cold"),
  ARCHIVE("Archive");

  private final String text;

  AccessTier(String text) {
    this.text = text;
  }

  /** As the wire has it. */
  public String text() {
    return text;
  }

  /** The tier of {@code x-ms-access-tier}, or 400. */
  public static AccessTier require(String text) {
    for (AccessTier tier : values()) {
      if (tier.text.equals(text)) {
        return tier;
      }
    }
    throw CommonErrors.INVALID_HEADER_VALUE
        .exception()
        .with("HeaderName", "x-ms-access-tier")
        .with("HeaderValue", text);
  }
}
