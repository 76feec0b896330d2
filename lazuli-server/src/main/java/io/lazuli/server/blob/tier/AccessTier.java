package io.lazuli.server.blob.tier;

import io.lazuli.server.error.CommonErrors;

/**
 * The access tier of a block blob. It is stored and returned, and has no other effect (blob-rest
 * 10.10).
 */
public enum AccessTier {
  HOT("Hot"),
  COOL("Cool"),
  COLD("Cold"),
  ARCHIVE("Archive");

  private final String text;

  AccessTier(String text) {
    this.text = text;
  }

  /** Returns the name in the protocol. */
  public String text() {
    return text;
  }

  /** Parses {@code x-ms-access-tier} in any letter case; throws 400 if it is not a tier. */
  public static AccessTier require(String text) {
    for (AccessTier tier : values()) {
      if (tier.text.equalsIgnoreCase(text)) {
        return tier;
      }
    }
    throw CommonErrors.INVALID_HEADER_VALUE
        .exception()
        .with("HeaderName", "x-ms-access-tier")
        .with("HeaderValue", text);
  }
}
