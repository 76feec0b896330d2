package io.lazuli.conformance.runner;

import java.util.Locale;

/** How a case ended. */
enum Outcome {
  PASSED,
  FAILED,
  /** The case cannot run against this endpoint, for example because it kills the server. */
  NOT_APPLICABLE;

  /** Returns the name as reports write it: {@code not applicable}. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static Outcome ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
