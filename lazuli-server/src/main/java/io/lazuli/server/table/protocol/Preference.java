package io.lazuli.server.table.protocol;

import org.jspecify.annotations.Nullable;

/** Whether Create Table and Insert Entity return the stored object. */
enum Preference {
  UNSAID,
  CONTENT,
  NO_CONTENT;

  static Preference parse(@Nullable String header) {
    if (header == null) {
      return UNSAID;
    }
    return switch (header.strip()) {
      case "return-content" -> CONTENT;
      case "return-no-content" -> NO_CONTENT;
      default -> UNSAID;
    };
  }

  /** Returns the value of {@code Preference-Applied}; null if the request has no preference. */
  @Nullable String applied() {
    return switch (this) {
      case UNSAID -> null;
      case CONTENT -> "return-content";
      case NO_CONTENT -> "return-no-content";
    };
  }
}
