package io.lazuli.server.blob.tier;

import io.lazuli.server.error.CommonErrors;

/** How soon a blob is to leave the archive (blob-features 4.5). It is shown and has no effect. */
public enum RehydratePriority {
  STANDARD("Standard"),
  HIGH("High");

  private final String text;

  RehydratePriority(String text) {
    this.text = text;
  }

  /** Returns the name in the protocol. */
  public String text() {
    return text;
  }

  /** Parses {@code x-ms-rehydrate-priority} in any letter case; throws 400 if it is not one. */
  public static RehydratePriority require(String text) {
    for (RehydratePriority priority : values()) {
      if (priority.text.equalsIgnoreCase(text)) {
        return priority;
      }
    }
    throw CommonErrors.INVALID_HEADER_VALUE
        .exception()
        .with("HeaderName", "x-ms-rehydrate-priority")
        .with("HeaderValue", text);
  }
}
