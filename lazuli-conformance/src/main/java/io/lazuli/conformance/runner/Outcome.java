package io.lazuli.conformance.runner;

import java.util.Locale;

/** How a case ended. */
enum Outcome {
  PASSED,
  FAILED,
  /** The case cannot be tried on this endpoint, such as one that kills the server. */
  NOT_APPLICABLE;

  /** As it stands in reports: {@code not applicable}. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static Outcome ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
