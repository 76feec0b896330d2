package io.lazuli.server.blob.tier;

import io.lazuli.server.error.CommonErrors;

/**
 * The access tier of a block blob. Blobs in the archive cannot be read (blob-features 4.6); the
 * other tiers have no effect.
 */
public enum AccessTier {
  HOT("Hot"),
  COOL("Cool"),
  COLD("Cold"),
  ARCHIVE("Archive"),
  /** Azure moves such blobs between tiers by itself. */
  SMART("Smart");

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
